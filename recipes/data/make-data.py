#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the data sets of the recipes: make-data.py FOLDER. Every number comes from the formulas below and
the seeds beside them, so that anyone can make the files again and knows what there is to find."""

import json
import math
import random
import sys
from pathlib import Path


def outlier_triage():
    """Viscosity, 45 readings of one product: 250 + 4 z mPa s. Reading 17 is ten times too small, the decimal
    point of a value typed by hand; reading 31 has the sensor in air."""
    z = random.Random(21)
    values = [round(250 + 4 * z.gauss(0, 1), 1) for _ in range(45)]
    values[17] = round(values[17] / 10, 1)
    values[31] = 198.4
    return {
        "about": "Viscosity of one product in mPa s, 45 readings in the order in which they were taken.",
        "values": values,
        "notes": {"17": "typed in by hand", "31": "alarm of the level sensor"},
    }


def process_capability_study():
    """Diameter of 60 turned parts: 20.012 + 0.011 z mm. The specification is 20 +/- 0.05: the process is off
    centre by a quarter of the room, Cpk about 1.1."""
    z = random.Random(12)
    return {
        "about": "Diameter of 60 turned parts in mm, in the order of production.",
        "values": [round(20.012 + 0.011 * z.gauss(0, 1), 4) for _ in range(60)],
        "lower_spec": 19.95,
        "upper_spec": 20.05,
    }


def control_chart_setup():
    """Fill weight: 500.0 + 1.2 z g for the 50 of the reference period, then 30 of which the last 18 are higher
    by 1.5 g, a little more than a standard deviation: too little for single points, enough for a chart with a memory."""
    z = random.Random(26)
    return {
        "about": "Fill weight in g: 50 of a period in which all was well, then 30 of the next day, in order.",
        "values": [round(500 + 1.2 * z.gauss(0, 1), 2) for _ in range(50)],
        "next_values": [
            round(500 + (1.5 if i >= 12 else 0) + 1.2 * z.gauss(0, 1), 2) for i in range(30)
        ],
    }


def two_group_comparison():
    """Tensile strength of film of two suppliers, 4 rolls each with 6 samples a roll: A 41.0 + 0.5 roll + 0.7 z,
    B 42.4 + 0.5 roll + 1.1 z, in MPa. The rolls differ, so that there are fewer independent values than numbers."""
    z = random.Random(14)

    def supplier(mean, spread, first):
        rolls, values = [], []
        for roll in range(first, first + 4):
            level = mean + 0.5 * z.gauss(0, 1)
            for _ in range(6):
                rolls.append(f"R{roll}")
                values.append(round(level + spread * z.gauss(0, 1), 2))
        return rolls, values

    rolls_a, group_a = supplier(41.0, 0.7, 1)
    rolls_b, group_b = supplier(42.4, 1.1, 5)
    return {
        "about": "Tensile strength of film in MPa, two suppliers, 4 rolls of each, 6 samples of a roll.",
        "group_a": group_a,
        "group_b": group_b,
        "rolls_a": rolls_a,
        "rolls_b": rolls_b,
        "difference_that_matters": 1.0,
    }


def batch_trend():
    """16 batches, temperature and pH every half hour for 5 hours. Temperature: 62 + 0.15 batch + 6 (1 - exp(-t)) + 0.3 z,
    a drift over the batches. pH: 6.8 - 0.12 t + 0.03 z, lower by 0.2 from batch 11 on: another lot of buffer."""
    z = random.Random(15)
    rows = []
    for batch in range(1, 17):
        for step in range(11):
            t = step / 2
            heat = 62 + 0.15 * batch + 6 * (1 - math.exp(-t)) + 0.3 * z.gauss(0, 1)
            acid = 6.8 - 0.12 * t - (0.2 if batch >= 11 else 0) + 0.03 * z.gauss(0, 1)
            rows.append(
                {"batch": batch, "hours": t, "temperature": round(heat, 2), "pH": round(acid, 3)}
            )
    return {
        "about": "16 batches in the order of production: temperature in degrees Celsius and pH, every half hour.",
        "data": rows,
        "value_columns": ["temperature", "pH"],
        "batch_column": "batch",
        "time_column": "hours",
    }


def table_first_look():
    """A distillation column, 48 rows. Two things vary behind six variables, load a and composition b:
    feed 12 + 1.5 a, steam 3.4 + 0.4 a + 0.05 b, pressure 1.9 + 0.12 a, top 78 + 0.9 b, bottom 104 + 0.3 a + 1.1 b,
    reflux 2.6 - 0.25 b; each with noise of a tenth of its spread. A seventh column is a set point. In row 22 the
    steam meter shows the value of another row: usual by itself, but not for that feed. Row 40 has a load of 4.
    Of the new rows the last has a bottom temperature that does not go with its top."""
    z = random.Random(16)

    def row(a, b):
        plan = (
            (12 + 1.5 * a, 0.15, 2),
            (3.4 + 0.4 * a + 0.05 * b, 0.04, 3),
            (1.9 + 0.12 * a, 0.012, 3),
            (78 + 0.9 * b, 0.09, 2),
            (104 + 0.3 * a + 1.1 * b, 0.11, 2),
            (2.6 - 0.25 * b, 0.025, 3),
        )
        return [round(mean + noise * z.gauss(0, 1), digits) for mean, noise, digits in plan] + [75]

    rows = [row(z.gauss(0, 1), z.gauss(0, 1)) for _ in range(48)]
    rows[22][0], rows[22][2] = 14.31, 2.083
    rows[22][1] = 2.941
    rows[40] = row(4, 0.3)
    new_rows = [row(0.5, -0.4), row(-1.1, 0.9), row(0.2, 0.1)]
    new_rows[2][4] = round(new_rows[2][4] - 3, 2)
    return {
        "about": "A distillation column: 48 rows of hourly means, and 3 rows that came later.",
        "column_names": ["feed_t_h", "steam_t_h", "pressure_bar", "top_C", "bottom_C", "reflux_ratio", "setpoint_C"],
        "data": rows,
        "new_data": new_rows,
    }


SETS = (
    batch_trend,
    control_chart_setup,
    outlier_triage,
    process_capability_study,
    table_first_look,
    two_group_comparison,
)


def as_lines(value):
    """One key a line, and one row a line where there are rows."""
    lines = []
    for key, item in value.items():
        if isinstance(item, list) and item and isinstance(item[0], (list, dict)):
            rows = ",\n  ".join(json.dumps(row) for row in item)
            lines.append(f"{json.dumps(key)}: [\n  {rows}\n ]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(item)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def main():
    folder = Path(sys.argv[1])
    for make in SETS:
        value = {"recipe": make.__name__, **make()}
        (folder / f"{make.__name__}.json").write_text(as_lines(value), encoding="utf-8")


if __name__ == "__main__":
    main()
