# SPDX-License-Identifier: MIT
"""What theory says of tables, lines, charts and batches when their data are moved, scaled, mirrored and shuffled.

No right values are needed for that: an answer is held against another of the same tool. What is said of single samples
is in statistics_field.py. Factors and shifts are powers of 2, which add no rounding of their own.
"""
import random

import program
import statistics_field


def shuffled(count, seed=5):
    places = list(range(count))
    random.Random(seed).shuffle(places)
    return places


def picked(values, places):
    return [values[at] for at in places]


def affine(values, factor, shift=0.0):
    return [value * factor + shift for value in values]


def columns_of(table):
    return [list(column) for column in zip(*table)]


class Tables(statistics_field.Tools):
    FACTORS = [2.0, -4.0, 0.5, -0.125]
    SHIFTS = [64.0, 8.0, -16.0, 1024.0]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stream = random.Random(17)
        hidden = [(stream.gauss(0, 3), stream.gauss(0, 1)) for _ in range(40)]
        cls.table = [[a + stream.gauss(0, 0.3), b - a + stream.gauss(0, 0.2), 2 * b + stream.gauss(0, 0.3),
                      a + 2 * b + stream.gauss(0, 0.5)] for a, b in hidden]
        cls.table[7][1] += 25
        cls.response = [3 * a - b + stream.gauss(0, 0.2) for a, b in hidden]
        cls.fresh = [[stream.gauss(0, 3) for _ in range(4)] for _ in range(6)]
        cls.places = shuffled(len(cls.table))

    def moved(self, table):
        return [[x * factor + shift for x, factor, shift in zip(row, self.FACTORS, self.SHIFTS)] for row in table]

    def assert_mirrored(self, wanted, found):
        """Rows of loadings or weights, one for each column: mirrored where the column is, but for each component's own
        sign, of which a mirrored column may be the arbiter."""
        for one, other in zip(columns_of(wanted), columns_of(found)):
            turned = [value if factor > 0 else -value for value, factor in zip(other, self.FACTORS)]
            sign = 1 if sum(x * y for x, y in zip(one, turned)) > 0 else -1
            self.assert_close(one, affine(turned, sign), 1e-10)

    def test_scaling_undoes_shift_and_factor(self):
        before = self.ask("scale_data", data=self.table)
        after = self.ask("scale_data", data=self.moved(self.table))
        mirrored = [[x if factor > 0 else -x for x, factor in zip(row, self.FACTORS)] for row in after["scaled_data"]]
        self.assert_close(before["scaled_data"], mirrored)
        self.assert_close(self.moved([before["means"]])[0], after["means"])
        self.assert_close([abs(factor) * std for std, factor in zip(before["stds"], self.FACTORS)], after["stds"])
        self.assert_close(before["scaled_data"], self.ask("scale_data", data=before["scaled_data"])["scaled_data"])
        again = self.ask("scale_data", data=picked(self.table, self.places))
        self.assert_close(picked(before["scaled_data"], self.places), again["scaled_data"])

    def test_components_do_not_see_units(self):
        before = self.ask("fit_pca", data=self.table, n_components=2)
        after = self.ask("fit_pca", data=self.moved(self.table), n_components=2)
        for key in ("explained_variance", "r2_cumulative", "r2_per_component", "outlier_details"):
            self.assert_close(before[key], after[key], 1e-10)
        self.assertIn(7, before["outlier_indices"])
        self.assert_mirrored(before["model_params"]["loadings"], after["model_params"]["loadings"])
        self.assert_close(before["model_params"]["spe_values"], after["model_params"]["spe_values"], 1e-10)
        predicted = self.ask("pca_predict", model_params=before["model_params"], new_data=self.fresh)
        again = self.ask("pca_predict", model_params=after["model_params"], new_data=self.moved(self.fresh))
        for key in ("hotellings_t2", "spe", "is_outlier"):
            self.assert_close(predicted[key], again[key], 1e-10)

    def test_components_do_not_see_the_order_of_rows(self):
        before = self.ask("fit_pca", data=self.table, n_components=2)
        after = self.ask("fit_pca", data=picked(self.table, self.places), n_components=2)
        self.assert_close(before["explained_variance"], after["explained_variance"], 1e-10)
        self.assert_close(before["model_params"]["loadings"], after["model_params"]["loadings"], 1e-10)
        self.assert_close(picked(before["model_params"]["spe_values"], self.places),
                          after["model_params"]["spe_values"], 1e-10)
        self.assertEqual(before["outlier_indices"], picked(self.places, after["outlier_indices"]))

    def test_components_follow_the_order_of_columns(self):
        order = [2, 0, 3, 1]
        before = self.ask("fit_pca", data=self.table, n_components=3)
        after = self.ask("fit_pca", data=[picked(row, order) for row in self.table], n_components=3)
        self.assert_close(before["explained_variance"], after["explained_variance"], 1e-10)
        self.assert_close(picked(before["model_params"]["loadings"], order), after["model_params"]["loadings"], 1e-10)

    def test_components_add_up(self):
        fitted = self.ask("fit_pca", data=self.table, n_components=4)
        self.assert_close(4.0, sum(fitted["explained_variance"]))
        self.assert_close(1.0, fitted["r2_cumulative"][-1])
        scores = columns_of(self.ask("pca_predict", model_params=fitted["model_params"], new_data=self.table)["scores"])
        for a, one in enumerate(scores):
            for b, other in enumerate(scores):
                product = sum(x * y for x, y in zip(one, other)) / (len(self.table) - 1)
                self.assert_close(fitted["explained_variance"][a] if a == b else 0.0, product, 1e-10)

    def test_a_model_finds_its_own_rows_again(self):
        fitted = self.ask("fit_pca", data=self.table, n_components=2)
        found = self.ask("pca_predict", model_params=fitted["model_params"], new_data=self.table)
        self.assert_close(fitted["model_params"]["spe_values"], found["spe"], 1e-9)
        self.assert_close(2.0 * (len(self.table) - 1), sum(found["hotellings_t2"]), 1e-10)

    def test_outliers_of_a_table(self):
        before = self.ask("detect_multivariate_outliers", data=self.table, n_components=2)
        self.assertIn(7, before["outlier_indices"])
        self.assert_close(before, self.ask("detect_multivariate_outliers", data=self.moved(self.table), n_components=2),
                          1e-9)
        again = self.ask("detect_multivariate_outliers", data=picked(self.table, self.places), n_components=2)
        for outlier in again["outlier_details"]:
            outlier["observation"] = self.places[outlier["observation"]]
        self.assert_close(before["outlier_details"], again["outlier_details"], 1e-9)

    def test_partial_least_squares_does_not_see_units(self):
        before = self.ask("fit_pls", x_data=self.table, y_data=self.response, n_components=2)
        after = self.ask("fit_pls", x_data=self.moved(self.table), y_data=affine(self.response, -8, 256), n_components=2)
        for key in ("r2x_cumulative", "r2_per_component", "rmse"):
            self.assert_close(before[key], after[key], 1e-10)
        mirrored = [[-c if factor > 0 else c for c in row] for row, factor in zip(after["coefficients"], self.FACTORS)]
        self.assert_close(before["coefficients"], mirrored, 1e-10)
        predicted = self.ask("pls_predict", model_params=before["model_params"], new_data=self.fresh)
        again = self.ask("pls_predict", model_params=after["model_params"], new_data=self.moved(self.fresh))
        self.assert_close([affine(row, -8, 256) for row in predicted["y_hat"]], again["y_hat"], 1e-10)
        for key in ("hotellings_t2", "spe"):
            self.assert_close(predicted[key], again[key], 1e-10)

    def test_partial_least_squares_does_not_see_order(self):
        before = self.ask("fit_pls", x_data=self.table, y_data=self.response, n_components=2)
        rows = self.ask("fit_pls", x_data=picked(self.table, self.places), y_data=picked(self.response, self.places),
                        n_components=2)
        self.assert_close(before["coefficients"], rows["coefficients"], 1e-10)
        order = [3, 1, 0, 2]
        turned = self.ask("fit_pls", x_data=[picked(row, order) for row in self.table], y_data=self.response,
                          n_components=2)
        self.assert_close(picked(before["coefficients"], order), turned["coefficients"], 1e-10)
        listed = self.ask("fit_pls", x_data=self.table, y_data=[[y] for y in self.response], n_components=2)
        self.assertEqual(before, listed)

    def test_partial_least_squares_of_all_components_is_least_squares(self):
        """Its residuals are at right angles to each column, as those of no other fit are."""
        fitted = self.ask("fit_pls", x_data=self.table, y_data=self.response, n_components=4)
        found = self.ask("pls_predict", model_params=fitted["model_params"], new_data=self.table)
        residuals = [y - row[0] for y, row in zip(self.response, found["y_hat"])]
        self.assert_close(0.0, sum(residuals), 1e-9)
        for column in columns_of(self.table):
            self.assert_close(0.0, sum(x * e for x, e in zip(column, residuals)), 1e-9)


class Lines(statistics_field.Tools):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stream = random.Random(23)
        cls.x = [stream.uniform(-5, 20) for _ in range(31)]
        cls.y = [1.5 * x + 4 + stream.gauss(0, 1) for x in cls.x]
        cls.y[3] += 40
        cls.tilted = [y * 4 + x * 2 + 64 for x, y in zip(cls.x, cls.y)]

    def test_a_line_added_to_the_data_is_added_to_the_fit(self):
        before, after = (self.ask("robust_regression", x=self.x, y=y) for y in (self.y, self.tilted))
        self.assert_close(before["slope"] * 4 + 2, after["slope"])
        self.assert_close(before["intercept"] * 4 + 64, after["intercept"], 1e-11)
        for key in ("standard_error", "slope_std_error"):
            self.assert_close(before[key] * 4, after[key], 1e-10)
        self.assert_close(affine(before["residuals"], 4), after["residuals"], 1e-10)
        self.assert_close(affine(before["slope_confidence_interval"], 4, 2), after["slope_confidence_interval"], 1e-10)
        for key in ("prediction_interval_lower", "prediction_interval_upper"):
            wanted = [bound * 4 + x * 2 + 64 for bound, x in zip(before[key], before["prediction_interval_x"])]
            self.assert_close(wanted, after[key], 1e-10)
        slopes = [self.ask("repeated_median", x=self.x, y=y)["slope"] for y in (self.y, self.tilted)]
        self.assert_close(slopes[0] * 4 + 2, slopes[1])

    def test_the_other_axis(self):
        before = self.ask("robust_regression", x=self.x, y=self.y)
        after = self.ask("robust_regression", x=affine(self.x, -2, 32), y=self.y)
        self.assert_close(before["slope"] / -2, after["slope"])
        self.assert_close(before["intercept"] + before["slope"] * 16, after["intercept"], 1e-11)
        self.assert_close(before["r2"], after["r2"], 1e-10)
        self.assert_close(before["residuals"], after["residuals"], 1e-10)

    def test_far_along_the_other_axis(self):
        """The grid of the intervals is that of the data moved, though its points fall between the doubles there."""
        near = [round(x * 64) / 64 for x in self.x]
        before, after = (self.ask("robust_regression", x=[x + shift for x in near], y=self.y) for shift in (0, 2.0 ** 40))
        for key in ("slope", "fitted_values", "slope_std_error", "prediction_interval_lower", "prediction_interval_upper"):
            self.assert_close(before[key], after[key], 1e-11)

    def test_through_the_origin(self):
        before = self.ask("robust_regression", x=self.x, y=self.y, fit_intercept=False)
        after = self.ask("robust_regression", x=affine(self.x, 2), y=affine(self.y, -8), fit_intercept=False)
        self.assert_close(before["slope"] * -4, after["slope"])
        self.assertEqual((0, 0), (before["intercept"], after["intercept"]))
        self.assert_close(affine(before["residuals"], -8), after["residuals"], 1e-10)

    def test_the_order_of_points(self):
        places = shuffled(len(self.x))
        before = self.ask("robust_regression", x=self.x, y=self.y)
        after = self.ask("robust_regression", x=picked(self.x, places), y=picked(self.y, places))
        for key in ("fitted_values", "residuals"):
            before[key] = picked(before[key], places)
        self.assert_close(before, after, 1e-11)
        self.assertEqual(*(self.ask("repeated_median", x=picked(self.x, order), y=picked(self.y, order))
                           for order in (places, shuffled(len(self.x), 8))))

    def test_an_elbow_does_not_see_units(self):
        x = [at ** 1.1 for at in range(40)]
        y = [max(0.0, 30 - 2 * at) + 0.01 * (at * 7 % 5) for at in range(40)]
        elbow = self.ask("find_elbow", x=x, y=y)["elbow_index"]
        for a, b in ((2, 64), (0.25, -8)):
            for c, d in ((4, 256), (-0.5, 16)):
                self.assertEqual(elbow, self.ask("find_elbow", x=affine(x, a, b), y=affine(y, c, d))["elbow_index"])


class Processes(statistics_field.Tools):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stream = random.Random(29)
        cls.values = [stream.gauss(20, 2) + (5 if at > 40 else 0) for at in range(60)]

    def test_capability_does_not_see_units(self):
        for robust in (True, False):
            for limits in ({"lower_spec": 10}, {"upper_spec": 40}, {"lower_spec": 12, "upper_spec": 36}):
                with self.subTest(robust=robust, **limits):
                    before = self.ask("process_capability", values=self.values, robust=robust, **limits)
                    after = self.ask("process_capability", values=affine(self.values, 4, 1024), robust=robust,
                                     **{key: limit * 4 + 1024 for key, limit in limits.items()})
                    self.assert_close(before["cpk"], after["cpk"], 1e-11)
                    other = {"lower_spec": "upper_spec", "upper_spec": "lower_spec"}
                    mirrored = self.ask("process_capability", values=affine(self.values, -2), robust=robust,
                                        **{other[key]: limit * -2 for key, limit in limits.items()})
                    self.assert_close((before["cpk"], -before["rsd"]), (mirrored["cpk"], mirrored["rsd"]), 1e-11)

    def test_a_limit_twice_as_far_is_twice_as_good(self):
        centre = self.ask("robust_summary_stats", values=self.values)["median"]
        near, far = (self.ask("process_capability", values=self.values, upper_spec=centre + reach)["cpk"]
                     for reach in (8, 16))
        self.assert_close(near * 2, far, 1e-11)

    def test_mirrored_charts(self):
        for style in ("robust", "regular"):
            for chart in ("shewhart", "ewma", "holt_winters", "cusum"):
                with self.subTest(style=style, chart=chart):
                    before, after = (self.ask("control_chart", values=values, chart_type=chart, style=style)
                                     for values in (self.values, affine(self.values, -2)))
                    self.assert_close(before["target"] * -2, after["target"], 1e-11)
                    self.assert_close(before["spread"] * 2, after["spread"], 1e-11)
                    self.assertEqual(before["out_of_control_indices"], after["out_of_control_indices"])
                    if chart == "cusum":
                        self.assert_close([(alarm["sample"], -2 * alarm["new_mean"]) for alarm in before["cusum_alarms"]],
                                          [(alarm["sample"], alarm["new_mean"]) for alarm in after["cusum_alarms"]], 1e-11)
                    else:
                        self.assert_close(before["upper_control_limit"] * -2, after["lower_control_limit"], 1e-11)

    def test_a_chart_of_single_values_backwards(self):
        before, after = (self.ask("control_chart", values=values, chart_type="shewhart", style="robust")
                         for values in (self.values + [90.0], [90.0] + self.values[::-1]))
        self.assert_close(before["upper_control_limit"], after["upper_control_limit"])
        self.assertEqual([60 - at for at in before["out_of_control_indices"]][::-1], after["out_of_control_indices"])
        self.assertIn(0, after["out_of_control_indices"])

    def test_variances_of_groups(self):
        groups = [at % 4 for at in range(60)]
        before = self.ask("within_between_variance", values=self.values, groups=groups)
        after = self.ask("within_between_variance", values=affine(self.values, -4, 512),
                         groups=["group %d" % (9 - group) for group in groups])
        for key, value in before.items():
            factor = 16 if key.endswith("_ms") else 4 if key.endswith("_stddev") else None
            if factor:
                self.assert_close(value * factor, after[key], 1e-11)

    def test_pairs(self):
        before = self.ask("ttest_paired_samples", group_a=self.values[:30], group_b=self.values[30:])
        drift = [at * 0.5 for at in range(30)]
        after = self.ask("ttest_paired_samples", group_a=[x + d for x, d in zip(self.values[:30], drift)],
                         group_b=[x + d for x, d in zip(self.values[30:], drift)])
        self.assert_close((before["t_value"], before["p_value"]), (after["t_value"], after["p_value"]), 1e-10)
        turned = self.ask("ttest_paired_samples", group_a=self.values[30:], group_b=self.values[:30])
        self.assert_close((-before["t_value"], before["p_value"]), (turned["t_value"], turned["p_value"]), 1e-12)


class Batches(statistics_field.Tools):
    FEATURES = ["mean", "median", "std", "iqr", "sum", "min", "max", "last", "count", "area", "slope"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stream = random.Random(31)
        cls.rows = [{"batch": batch, "t": at / 4 + batch, "y": stream.gauss(50, 9)}
                    for batch in (1, 2, 3) for at in range(12 + batch)]

    def features(self, rows):
        found = self.ask("extract_batch_features", data=rows, value_columns=["y"], features=self.FEATURES,
                         time_column="t")
        return {row["batch"]: row for row in found["feature_matrix"]}

    def test_other_units_of_the_values(self):
        before = self.features(self.rows)
        after = self.features([{**row, "y": row["y"] * 4 + 128} for row in self.rows])
        for batch, wanted in before.items():
            found = after[batch]
            for key in ("mean", "median", "min", "max", "endpoint"):
                self.assert_close(wanted["y_" + key] * 4 + 128, found["y_" + key])
            for key in ("std", "iqr", "slope"):
                self.assert_close(wanted["y_" + key] * 4, found["y_" + key], 1e-11)
            self.assert_close(wanted["y_sum"] * 4 + 128 * wanted["y_count"], found["y_sum"])
            lasted = (wanted["y_count"] - 1) / 4
            self.assert_close(wanted["y_area"] * 4 + 128 * lasted, found["y_area"])

    def test_other_units_of_time(self):
        before = self.features(self.rows)
        after = self.features([{**row, "t": row["t"] * 64 - 4096} for row in self.rows])
        for batch, wanted in before.items():
            wanted["y_area"] *= 64
            wanted["y_slope"] /= 64
            self.assert_close(wanted, after[batch], 1e-11)

    def test_batches_do_not_see_each_other(self):
        before = self.features(self.rows)
        blocks = [[row for row in self.rows if row["batch"] == batch] for batch in (3, 1, 2)]
        self.assertEqual(before, self.features(sum(blocks, [])))
        for block in blocks:
            alone = self.features(block)
            self.assertEqual({batch: before[batch] for batch in alone}, alone)
        woven = sorted(self.rows, key=lambda row: row["t"] - row["batch"])
        self.assertEqual(before, self.features(woven))


if __name__ == "__main__":
    program.main(__name__)
