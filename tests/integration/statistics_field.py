# SPDX-License-Identifier: MIT
"""The statistical tools on data as people have them: degenerate, dirty, moved, scaled and shuffled."""
import itertools
import math
import random
import statistics
from fractions import Fraction

import mcp
import program

# What each tool needs at least, so that one argument can be spoiled at a time.
SAMPLE = [9.8, 10.1, 10.0, 9.9, 10.3, 9.7, 10.2, 10.4, 9.6, 10.05, 9.95, 10.15]
POSITION = [0.5, 1.25, 2.5, 3.75, 4.0, 5.5, 6.25, 7.0, 8.5, 9.75, 10.0, 11.5]
GROUPS = ["a", "b", "c"] * 4
LISTS = {
    "robust_summary_stats": ["values"],
    "detect_outliers": ["values"],
    "robust_scale_sn": ["values"],
    "median_absolute_deviation": ["values"],
    "normality_test": ["values"],
    "confidence_interval": ["values"],
    "ttest_two_samples": ["group_a", "group_b"],
    "ttest_paired_samples": ["group_a", "group_b"],
    "within_between_variance": ["values", "groups"],
    "robust_regression": ["x", "y"],
    "repeated_median": ["x", "y"],
    "find_elbow": ["x", "y"],
    "control_chart": ["values"],
    "process_capability": ["values"],
}


def sample_of(name):
    return {"groups": GROUPS, "x": POSITION}.get(name, SAMPLE)


class Tools(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = mcp.Server(cls, env={"TOOLHOST_REPAIR_ARGUMENTS": "0"})
        cls.addClassCleanup(cls.server.__exit__)
        cls.server.initialize()
        cls.listed = cls.server.tools()

    def ask(self, tool, **arguments):
        if tool not in self.listed:
            self.skipTest("%s was not built" % tool)
        result = self.server.call(tool, arguments)
        self.assertFalse(result.get("isError"), result)
        return result["structuredContent"]

    def refused(self, tool, **arguments):
        """The error of a call that has to be refused because of its arguments."""
        if tool not in self.listed:
            self.skipTest("%s was not built" % tool)
        error = mcp.failure(self.server.call(tool, arguments))
        self.assertEqual("input_invalid", error["code"], error)
        self.assert_bounded(error["message"])
        return error

    def assert_close(self, wanted, found, tolerance=1e-12):
        """Numbers, and lists and objects of numbers, alike to rounding; all else alike."""
        if isinstance(wanted, dict):
            self.assertEqual(wanted.keys(), found.keys())
            for key in wanted:
                self.assert_close(wanted[key], found[key], tolerance)
        elif isinstance(wanted, list):
            self.assertEqual(len(wanted), len(found))
            for one, other in zip(wanted, found):
                self.assert_close(one, other, tolerance)
        elif isinstance(wanted, float) and isinstance(found, (int, float)):
            self.assertTrue(math.isclose(wanted, found, rel_tol=tolerance, abs_tol=tolerance), (wanted, found))
        else:
            self.assertEqual(wanted, found)


class Degenerate(Tools):
    def test_no_variation_in_x(self):
        flat, rising = [0.667] * 3, [0.123, 0.456, 0.789]
        for y in (rising, flat, [2, 2, 2]):
            for tool in ("repeated_median", "robust_regression"):
                answer = self.ask(tool, x=flat, y=y)
                self.assertIsNone(answer["slope"])
                self.assertIn("no variation in x", answer["reason"])
        answer = self.ask("robust_regression", x=[1, 1, 1], y=[2, 2, 2])
        self.assertEqual([None, None, None], [answer["slope"], answer["intercept"], answer["r2"]])

    def test_no_elbow(self):
        answer = self.ask("find_elbow", x=[3] * 12, y=SAMPLE)
        self.assertIsNone(answer["elbow_index"])
        self.assertIn("no variation in x", answer["reason"])
        for y in ([0.1 * x for x in range(12)], [4] * 12):
            answer = self.ask("find_elbow", x=list(range(12)), y=y)
            self.assertIsNone(answer["elbow_index"])
            self.assertIn("parallel", answer["reason"])

    def test_rounding_makes_no_elbow(self):
        """A curve whose steps are worth some units in the last place of y; and a flat one with one point off."""
        x = [1.44, 1.67, 1.74, 1.77, 1.79, 1.94, 2.05, 2.15, 2.76, 2.80, 2.93, 3.04, 3.05, 3.08, 3.19, 3.23, 3.30, 3.42]
        straight = [1 + 2e-9 * at for at in x]
        flat = [7.0] * len(x)
        flat[-4] = 7.5
        for y in (straight, flat):
            answer = self.ask("find_elbow", x=x, y=y)
            self.assertIsNone(answer["elbow_index"], answer)
            self.assertIn("parallel", answer["reason"])

    def test_pairs_that_differ_by_the_same_decimal(self):
        """10.2 - 10.1 and 10.4 - 10.3 are two doubles, and their spread would be rounding."""
        before = [10.1, 10.2, 10.3, 9.7, 12.4]
        for moved in (0.1, -0.7, 1000.3):
            after = [round(value + moved, 1) for value in before]
            answer = self.ask("ttest_paired_samples", group_a=after, group_b=before)
            self.assertEqual((0, None, None, 0, True), tuple(answer[key] for key in (
                "differences_std", "t_value", "z_value", "p_value", "significant")))
            self.assert_close(moved, answer["differences_mean"], 1e-12)
            self.assertTrue(answer["reason"])
        answer = self.ask("ttest_paired_samples", group_a=[10 ** 15, 10 ** 15 + 2, 10 ** 15], group_b=[10 ** 15] * 3)
        self.assert_close(1, answer["t_value"])

    def test_pairs_of_which_one_is_far_from_the_other(self):
        """Their differences are rounded at 1e-7, the spread of what was sent is not. Right values: exact fractions."""
        far = [1000000000.25, 1000000001.5, 999999999.125, 1000000002.75, 1000000000.875]
        for near in ([0.1, 0.2, 0.4, 0.7, 0.3], [1e-9, -2e-9, 3e-9, 5e-10, 0.0]):
            differences = [Fraction(a) - Fraction(b) for a, b in zip(far, near)]
            deviation, mean = statistics.stdev(differences), statistics.mean(differences)
            for sign, order in ((1, (far, near)), (-1, (near, far))):
                answer = self.ask("ttest_paired_samples", group_a=order[0], group_b=order[1])
                self.assert_close(deviation, answer["differences_std"], 2e-15)
                self.assert_close(sign * float(mean), answer["differences_mean"], 2e-16)
                self.assert_close(sign * float(mean) / deviation * math.sqrt(5), answer["t_value"], 1e-14)

    def test_quartiles_of_a_batch_far_from_zero(self):
        """Each is rounded at 1e-7, and the distance between them is not. Right value: exact fractions."""
        far = [1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.4, 1e9 + 0.75, 1e9 + 1.1, 1e9 + 1.3]
        for values in (far, [-1e12 - 0.25, -1e12, 3.0, 5.0]):
            exact, last = sorted(map(Fraction, values)), len(values) - 1
            whole, part = divmod(Fraction(last, 4), 1)
            quarters = [exact[int(at)] + share * (exact[int(at) + 1] - exact[int(at)])
                        for at, share in ((whole, part), divmod(Fraction(3 * last, 4), 1))]
            answer = self.ask("extract_batch_features", data=[{"batch": 1, "y": value} for value in values],
                              value_columns=["y"], features=["iqr", "median"])
            self.assert_close(float(quarters[1] - quarters[0]), answer["feature_matrix"][0]["y_iqr"], 2e-16)
            self.assert_close(float(statistics.median(exact)), answer["feature_matrix"][0]["y_median"], 0)

    def test_no_outlier_at_a_level_next_to_0(self):
        """The critical value is then as good as the largest distance that there can be, (n - 1) / sqrt(n)."""
        for values in ([3.2, 5.3, 5.26, 15.8], [1, 2, 4, 8, 1000], [1, 2, 3, 1e6, 4, 5]):
            for alpha in (1e-200, 1e-300):
                answer = self.ask("detect_outliers", values=values, alpha=alpha, max_outliers_to_detect=20)
                self.assertEqual([], answer["outlier_indices"], (values, alpha))

    def test_deviations_whose_squares_are_beyond_a_double(self):
        values, groups = [4.5, 6.25, 5.5, 9.5, 8.0, 8.25], ["a", "a", "a", "b", "b", "b"]
        plain = self.ask("within_between_variance", values=values, groups=groups)
        self.assert_close(math.sqrt(plain["within_ms"]), plain["within_stddev"])
        self.assert_close(math.sqrt((plain["between_ms"] - plain["within_ms"]) / 3), plain["between_stddev"])
        for factor, side in ((1e300, "beyond"), (1e-300, "below")):
            answer = self.ask("within_between_variance", values=[factor * value for value in values], groups=groups)
            self.assertIn(side + " the range of a double", answer["reason"])
            for key in ("within_stddev", "between_stddev"):
                self.assertTrue(math.isclose(factor * plain[key], answer[key], rel_tol=1e-14), (key, answer))
        answer = self.ask("within_between_variance", values=[1e300, 2e300, 4e300], groups=[1] * 3)
        self.assertIsNone(answer["total_ms"])
        for groups in ([1, 1, 1], [1, 2, 3], [1, 1, 2]):
            answer = self.ask("within_between_variance", values=[1e300, 2e300, 4e300], groups=groups)
            self.assertIn("range of a double", answer["reason"])

    def test_charts_across_the_range_of_doubles(self):
        """The differences of the values are beyond a double, and target and spread are not."""
        values = [1.2, -0.8, 0.5, -1.1, 0.9, -0.3, 0.7, -0.9, 1.0, -0.6, 0.1, 1.1, -1.0]
        for kind in ("holt_winters", "shewhart", "ewma"):
            near = self.ask("control_chart", values=values, chart_type=kind)
            far = self.ask("control_chart", values=[1e308 * value for value in values], chart_type=kind)
            for key in ("target", "spread"):
                self.assertTrue(math.isclose(1e308 * near[key], far[key], rel_tol=1e-14), (kind, key, far))

    def test_a_chart_that_begins_with_a_fault(self):
        """A first reading far off costs the others no digits. Right values: the README of the golden answers, step by
        step at 40 digits."""
        values = [3.55, 5.23, 4.72, 4.52, 5.97, 5.07, 4.73, 6.8, 4.51, 3.74, 3.63, 4.47,
                  5.66, 5.85, 6.14, 6.85, 6.72, 5.67, 6.36, 5.69, 4.47, 5.87, 5.11, 4.84]
        for first, spread in ((1e7, 0.83207417311015065), (-1e15, 0.83178960969303623)):
            answer = self.ask("control_chart", values=[first] + values)
            self.assert_close(5.11, answer["target"], 1e-14)
            self.assert_close(spread, answer["spread"], 1e-14)

    def test_a_point_far_off_costs_a_robust_line_no_digits(self):
        """The line is that of the other points, whether the one is 100 or 1e18 above them."""
        x = [0.5, 1.25, 2.5, 3.75, 4.0, 5.5, 6.25, 7.0, 8.5, 9.75, 10.0]
        y = [1.1, 2.7, 4.9, 7.7, 8.1, 10.8, 12.7, 14.2, 16.9, 19.4, 20.1]
        lines = []
        for height in (1e2, 1e18):
            answer = self.ask("robust_regression", x=x, y=y[:4] + [height] + y[5:])
            lines.append([answer["slope"], answer["intercept"], answer["fitted_values"],
                          answer["residuals"][:4] + answer["residuals"][5:]])
        self.assert_close(lines[0], lines[1], 1e-14)

    def test_a_median_is_0_where_it_is(self):
        """Not where another value is 1e16 times as large. Sn of 1, 2, 4, 7 and one far off is 3 * 1.1926 * 1.351."""
        for far in (1e3, 1e17, -1e40):
            values = [4.0, far, 1.0, 7.0, 2.0]
            median, sn = (4 if far > 0 else 2), self.ask("robust_scale_sn", values=values)["sn"]
            self.assert_close(3 * 1.1926 * 1.351, sn)
            self.assert_close(sn / median, self.ask("robust_summary_stats", values=values)["rsd"])
            self.assert_close(100 * sn / median, self.ask("process_capability", values=values)["rsd"])
        self.assertIsNone(self.ask("process_capability", values=[-1, 0, 1, 1e17, -1e17])["rsd"])

    def test_the_largest_numbers_that_there_are(self):
        answer = self.ask("process_capability", values=[1, 2, 3, 4, 5], upper_spec=1.5e308, robust=False)
        self.assert_close(1.5e308 / 3 / math.sqrt(2.5), answer["cpk"])
        answer = self.ask("process_capability", values=[0.1, 0.2, 0.3, 0.4, 0.5], upper_spec=0.7e308, robust=False)
        self.assert_close(0.7e308 / 3 / math.sqrt(0.025), answer["cpk"])
        answer = self.ask("median_absolute_deviation", values=[-1.3e308, 0, 1.3e308], scale="raw")
        self.assertEqual((1.3e308, None), (answer["mad"], answer.get("reason")))

    def test_an_interval_is_told_what_it_lacks(self):
        """Its width may be below a double, and its ends beyond one, whatever varies."""
        values = [1.0, 2.0, 4.0, 7.0]
        for method in ("robust", "classical"):
            small = self.ask("confidence_interval", values=[1e-100 * value for value in values], method=method,
                             confidence_level=1e-300)
            self.assertEqual((0, None), (small["margin_of_error"], small.get("reason")))
            large = self.ask("confidence_interval", values=[1.6e308, 1.7e308, 1.5e308, 1.65e308], method=method,
                             confidence_level=0.99)
            self.assertTrue(large["upper"] is None and large["margin_of_error"] > 0, large)
            self.assertIn("range of a double", large["reason"])

    def test_a_sum_that_comes_back_into_the_range(self):
        rows = [{"batch": 1, "t": t, "y": y} for t, y in enumerate([1.7e308, 1.7e308, -1.7e308, -1.6e308])]
        answer = self.ask("extract_batch_features", data=rows, value_columns=["y"], features=["sum", "area"],
                          time_column="t")
        row = answer["feature_matrix"][0]
        self.assertTrue(math.isclose(1e307, row["y_sum"], rel_tol=1e-14), row)
        self.assertTrue(math.isclose(5e306, row["y_area"], rel_tol=1e-14), row)

    def test_distances_that_only_rounding_parts(self):
        """No row is an outlier by the last digit of a distance that in exact arithmetic is that of all others."""
        balanced = [[0, 1], [1, 0], [2, 3], [3, 2], [4, 5], [5, 4]]  # SPE of one component: the same six times
        tables = [(balanced, 1), ([[a / 10 + 0.1, b / 10 + 0.1] for a, b in balanced], 1)]
        draw = random.Random(6)
        for rows in range(3, 9):  # rank rows - 1, so that T2 is (rows - 1)^2 / rows throughout
            tables += [([[draw.gauss(3, 10.0 ** draw.randint(-6, 6)) for _ in range(12)] for _ in range(rows)], rows)
                       for _ in range(8)]
        for data, components in tables:
            fit = self.ask("fit_pca", data=data, n_components=components)
            found = self.ask("detect_multivariate_outliers", data=data, n_components=components)
            back = self.ask("pca_predict", model_params=fit["model_params"], new_data=data)
            self.assertEqual(([], [], [False] * len(data)), (
                fit["outlier_indices"], found["outlier_indices"], back["is_outlier"]), data)

    def test_far_from_zero(self):
        answer = self.ask("robust_summary_stats", values=[10 ** 12 + i for i in range(7)], method="classical")
        self.assertEqual(2, answer["std_ddof0"])
        self.assert_close(4.666666666666667, answer["std_ddof1"] ** 2, 1e-15)

    def test_the_middle_of_two(self):
        self.assertEqual(16383, self.ask("robust_summary_stats", values=[32767, -1])["median"])

    def test_groups_that_do_not_vary_in_any_order(self):
        blocks = [(2, 10), (1000, 5), (100, 6)]
        answers = []
        for order in itertools.permutations(blocks):
            values = [value for value, count in order for _ in range(count)]
            answers.append(self.ask("within_between_variance", values=values, groups=[str(v) for v in values]))
        for answer in answers:
            self.assertEqual((0, 0), (answer["within_ms"], answer["within_stddev"]))
            self.assertGreater(answer["between_ms"], 0)
            self.assert_close(answers[0], answer, 1e-14)

    def test_one_group_has_no_between_part(self):
        answer = self.ask("within_between_variance", values=[1, 2, 3], groups=["x", "x", "x"])
        self.assertEqual((0, 0, 0), (answer["between_ms"], answer["between_stddev"], answer["between_dof"]))
        self.assertIn("one group", answer["reason"])
        self.refused("within_between_variance", values=[1, 2, 3], groups=[])

    def test_no_variation_has_a_reason(self):
        flat = [5.5] * 12
        for tool, arguments, key, value in (
                ("process_capability", {"values": flat, "lower_spec": 0, "upper_spec": 10}, "cpk", None),
                ("process_capability", {"values": flat, "robust": False, "upper_spec": 10}, "cpk", None),
                ("process_capability", {"values": SAMPLE}, "cpk", None),
                ("confidence_interval", {"values": flat}, "margin_of_error", 0),
                ("confidence_interval", {"values": flat, "method": "classical"}, "margin_of_error", 0),
                ("robust_scale_sn", {"values": flat}, "sn", 0),
                ("robust_scale_sn", {"values": [-1, 0, 1]}, "rsd", None),
                ("robust_summary_stats", {"values": [-1, 0, 1]}, "rsd", None),
                ("robust_summary_stats", {"values": [0.1, 0.2, -0.3], "method": "classical"}, "rsd", None),
                ("median_absolute_deviation", {"values": flat}, "mad", 0),
                ("normality_test", {"values": flat}, "p_value", 1),
                ("detect_outliers", {"values": flat}, "n_outliers_found", 0),
                ("ttest_two_samples", {"group_a": flat, "group_b": flat}, "p_value", None),
                ("ttest_two_samples", {"group_a": [1, 1], "group_b": [2, 2], "equal_var": False}, "p_value", None),
                ("ttest_paired_samples", {"group_a": SAMPLE, "group_b": SAMPLE}, "p_value", None),
                ("control_chart", {"values": flat, "chart_type": "shewhart"}, "spread", 0)):
            with self.subTest(tool=tool, **arguments):
                answer = self.ask(tool, **arguments)
                self.assertEqual(value, answer[key])
                self.assertTrue(answer["reason"])

    def test_numbers_beyond_a_double_are_null(self):
        answer = self.ask("within_between_variance", values=[1e200, 2e200, -1e200, 5e200], groups=[1, 1, 2, 2])
        self.assertIsNone(answer["total_ms"])
        self.assertIn("range", answer["reason"])
        for tool, key, arguments in (
                ("ttest_two_samples", "p_value", {"group_a": [1.7e308, 1.6e308], "group_b": [-1.7e308, -1.6e308]}),
                ("ttest_paired_samples", "p_value", {"group_a": [1e308, -1e308, 0], "group_b": [-1e308, 1e308, 3]}),
                ("repeated_median", "slope", {"x": [1e-300, 2e-300, 3e-300], "y": [1e300, -1e300, 3e300]}),
                ("robust_regression", "slope", {"x": [1e-300, 2e-300, 3e-300], "y": [1e300, -1e300, 3e300]})):
            answer = self.ask(tool, **arguments)
            self.assertIsNone(answer[key], tool)
            self.assertIn("range", answer["reason"])
            self.assertFalse(answer.get("significant"))
            self.assertNotIn("nan", answer.get("interpretation", ""))

    def test_parts_of_an_answer_beyond_a_double_have_a_reason(self):
        model = self.ask("fit_pca", data=[[1, 2], [2, 4.1], [3, 5.9], [4, 8.2]], n_components=1)["model_params"]
        line = self.ask("fit_pls", x_data=[[1, 2], [2, 4.1], [3, 5.9], [4, 8.2]], y_data=[1, 2, 3, 5],
                        n_components=1)["model_params"]
        for tool, key, arguments in (
                ("pca_predict", "hotellings_t2", {"model_params": model, "new_data": [[1e160, 2e160], [1, 2]]}),
                ("pls_predict", "hotellings_t2", {"model_params": line, "new_data": [[1e160, 2e160], [1, 2]]}),
                ("robust_regression", "prediction_interval_upper",
                 {"x": [1e154, 1e15, 0.2], "y": [0, -1e308, -1e308], "fit_intercept": False}),
                ("control_chart", "decision_interval",
                 {"values": [1e308, 0, 1e308, 1e308, 0, 0], "chart_type": "cusum", "style": "regular"}),
                ("control_chart", "upper_control_limit",
                 {"values": [1.7e308, 1.6e308, 1.7e308, 1.5e308, 1.7e308], "chart_type": "shewhart", "style": "regular"}),
                ("process_capability", "cpk",
                 {"values": [0, 0.001, 0, 0, 0.01], "upper_spec": 1.7e308, "robust": False})):
            with self.subTest(tool=tool):
                answer = self.ask(tool, **arguments)
                value = answer[key]
                self.assertIn(None, value if isinstance(value, list) else [value])
                self.assertIn("range", answer["reason"])

    def test_t2_without_a_limit_has_a_reason(self):
        model = {"loadings": [[1, 0], [0, 1]], "means": [0, 0], "stds": [1, 1], "n_components": 2,
                 "scaling_factor_for_scores": [1, 1], "n_samples": 2, "spe_values": [0, 0]}
        answer = self.ask("pca_predict", model_params=model, new_data=[[1, 1]])
        self.assertIsNone(answer["t2_limit"])
        self.assertIn("no limit", answer["reason"])

    def test_a_row_far_out_hides_no_other(self):
        """What rounding may do to a row far from the model says nothing of the rows beside it."""
        data = [[i, 2 * i + (-1) ** i * 0.3, i % 3] for i in range(12)]
        model = self.ask("fit_pca", data=data, n_components=2)["model_params"]
        rows = [data[3], [40, 80, 1]]
        alone = self.ask("pca_predict", model_params=model, new_data=rows)
        self.assertEqual([False, True], alone["is_outlier"])
        for far in (1e6, 1e9, 1e12, 1e100, 1e160):
            beside = self.ask("pca_predict", model_params=model, new_data=rows + [[far, far, far]])
            self.assertEqual([False, True, True], beside["is_outlier"], far)

    def test_columns_that_reach_across_the_range_of_doubles(self):
        """Their deviations from the mean are beyond a double, though what is asked for is not."""
        rows = [[-1.7e308, 1], [1.7e308, 2], [0, 5], [1, 3], [-1.7e308, 4]]
        small = [[x / 1e308, y] for x, y in rows]
        self.assert_close(self.ask("scale_data", data=small)["scaled_data"],
                          self.ask("scale_data", data=rows)["scaled_data"])
        for tool in ("fit_pca", "detect_multivariate_outliers"):
            with self.subTest(tool=tool):
                wanted, found = (self.ask(tool, data=data, n_components=1) for data in (small, rows))
                for answer in (wanted, found):
                    answer.pop("model_params", None)
                self.assert_close(wanted, found)
        wanted, found = (self.ask("fit_pls", x_data=data, y_data=[1, 2, 3, 5, 4], n_components=1)
                         for data in (small, rows))
        self.assert_close(wanted["coefficients"], found["coefficients"])

    def test_capability_where_three_spreads_are_beyond_a_double(self):
        values, limits = [1.7, -1.7, 1.7, -1.7, 1], (-1.2, 1.5)
        for robust in (True, False):
            wanted, found = (self.ask("process_capability", values=[factor * value for value in values],
                                      lower_spec=factor * limits[0], upper_spec=factor * limits[1], robust=robust)
                             for factor in (1, 1e308))
            self.assert_close(wanted["cpk"], found["cpk"])

    def test_a_verdict_is_that_of_the_number_in_it(self):
        values = [0.9, 0.9, 1.1, 1.1, 1.0]  # mean 1, standard deviation 0.1, so that the limit is 1 + 0.3 Cpk
        for cpk, word in ((1, "marginal"), (1.33, "good"), (1.67, "excellent"), (0.9998, "poor"), (1.3298, "marginal"),
                          (1.6698, "good"), (-1.5, "poor"), (12.5, "excellent")):
            answer = self.ask("process_capability", values=values, upper_spec=1 + 0.3 * cpk, robust=False)
            self.assert_close(float(cpk), float(answer["cpk"]), 1e-12)
            self.assertTrue(answer["interpretation"].startswith("Cpk %g is %s" % (cpk, word)), answer)

    def test_what_json_has_no_number_for(self):
        numbers = [1.5, None, None, None]
        nulls = {"nan": None, "up": None, "down": None}
        for level in ("in-process", "isolated", "sandboxed"):
            with self.subTest(level=level), mcp.Server(self, "--isolation", level, "--no-default-packs", "--pack-dir",
                                                       self.folder("nan")) as server:
                server.initialize()
                self.assertEqual({**nulls, "packed": numbers, "list": numbers, "nested": nulls},
                                 server.call("nan")["structuredContent"])

    def test_slope_in_a_batch_without_time(self):
        rows = [{"batch": "a", "t": 1, "y": y} for y in (1, 2, 3)]
        answer = self.ask("extract_batch_features", data=rows, value_columns=["y"], features=["slope"], time_column="t")
        self.assertEqual([{"batch": "a", "y_slope": None}], answer["feature_matrix"])
        self.assertTrue(answer["reason"])


class Dirty(Tools):
    def test_empty_lists(self):
        for tool, lists in LISTS.items():
            for name in lists:
                with self.subTest(tool=tool, list=name):
                    arguments = {other: sample_of(other) for other in lists}
                    arguments[name] = []
                    self.assertIn(name, self.refused(tool, **arguments)["message"])
        self.refused("extract_batch_features", data=[], value_columns=["y"])
        self.refused("extract_batch_features", data=[{"y": 1}, {"y": 2}], value_columns=[])

    def test_a_null_or_a_text_among_numbers_is_named(self):
        for tool, lists in LISTS.items():
            for name in lists:
                if name == "groups":
                    continue
                for wrong in (None, "x", "1,5", "10 237,65", True, [1], {}):
                    with self.subTest(tool=tool, list=name, wrong=wrong):
                        arguments = {other: sample_of(other) for other in lists}
                        arguments[name] = SAMPLE[:2] + [wrong] + SAMPLE[3:]
                        error = self.refused(tool, **arguments)
                        self.assertEqual("/%s/2" % name, error["details"]["errors"][0]["path"])

    def test_too_few(self):
        self.refused("confidence_interval", values=[3])
        self.refused("process_capability", values=[5, 5, 5, 5], lower_spec=0, upper_spec=10)
        self.refused("find_elbow", x=list(range(8)), y=SAMPLE[:8])
        self.refused("repeated_median", x=[1, 2], y=[3, 4])

    def test_lists_that_belong_together(self):
        for tool, lists in LISTS.items():
            if len(lists) < 2 or tool == "ttest_two_samples":
                continue
            with self.subTest(tool=tool):
                arguments = {lists[0]: sample_of(lists[0]), lists[1]: sample_of(lists[1])[:-1]}
                error = self.refused(tool, **arguments)
                self.assertIn("%s has 12 values and %s has 11" % tuple(lists), error["message"])

    def test_a_column_that_is_not_numeric(self):
        for column, row in ((["10 237,65", "1,5"], 0), ([1.5, "NA", 2.5], 1), ([1.5, 2.5, True], None)):
            with self.subTest(column=column):
                data = [{"batch": "a", "y": value} for value in column]
                error = self.refused("extract_batch_features", data=data, value_columns=["y"])
                if row is not None:
                    self.assertIn("row %d" % row, error["message"])
                    self.assertIn("decimal", error["message"])

    def test_limits_the_wrong_way_round(self):
        error = self.refused("process_capability", values=SAMPLE, lower_spec=12, upper_spec=8)
        self.assertIn("lower_spec is above upper_spec", error["message"])

    def test_a_column_that_mixes_booleans_with_numbers(self):
        for key, features in (("batch", ["mean"]), ("y", ["mean"]), ("t", ["area"])):
            rows = [{"batch": 1, "t": t, "y": 2.5} for t in range(4)]
            rows[1][key] = True
            error = self.refused("extract_batch_features", data=rows, value_columns=["y"], features=features,
                                 time_column="t")
            self.assertIn('"%s"' % key, error["message"])
            self.assertIn("booleans", error["message"])
        error = self.refused("extract_batch_features", data=[{}, {}], value_columns=["y"])
        self.assertIn("hold nothing", error["message"])

    def test_a_row_without_a_batch(self):
        data = [{"batch": "a", "y": 1}, {"y": 2}]
        error = self.refused("extract_batch_features", data=data, value_columns=["y"])
        self.assertIn("Row 1", error["message"])

    def test_long_names_in_a_message(self):
        """They are cut between characters, and hide nothing of what there is to say."""
        name, other = "x" + "\u00e9" * 300, "y" + "\u20ac" * 300
        rows = [{name: "text " + other, "batch": 1}] * 2
        for arguments in ({"value_columns": [name]}, {"value_columns": [other]}):
            message = self.refused("extract_batch_features", data=rows, **arguments)["message"]
            self.assertNotIn("\ufffd", message)
            self.assertRegex(message, "as the decimal separator|; there are ")
        rows = [{"column %d" % at: at for at in range(200)}] * 2
        message = self.refused("extract_batch_features", data=rows, value_columns=["y"])["message"]
        self.assertRegex(message, r'"column 0", .* and 1\d\d more\.$')

    def test_ids_too_long_to_be_told_apart(self):
        """2^53 and 2^53 + 1 are one double, and two batches."""
        for low in (2 ** 53, 20251130123456789, -2 ** 53 - 1, 10 ** 22):
            rows = [{"batch": low + at // 2, "y": at} for at in range(4)]
            error = self.refused("extract_batch_features", data=rows, value_columns=["y"])
            self.assertEqual("/data", error["details"]["errors"][0]["path"])
            self.assertIn("as texts", error["message"])
            rows = [{"batch": str(row["batch"]), "y": row["y"]} for row in rows]
            self.assertEqual(2, self.ask("extract_batch_features", data=rows, value_columns=["y"])["n_batches"])
        rows = [{"batch": 2 ** 53 - 2 + at // 2, "y": at} for at in range(4)]
        answer = self.ask("extract_batch_features", data=rows, value_columns=["y"])
        self.assertEqual([2 ** 53 - 2, 2 ** 53 - 1], [row["batch"] for row in answer["feature_matrix"]])
        labels = [2 ** 53, 2 ** 53 + 1] * 2
        self.assertEqual(1, self.ask("within_between_variance", values=[1, 2, 3, 5], groups=labels)["between_dof"])
        for low in (10 ** 22, -2 ** 64):
            error = self.refused("within_between_variance", values=[1, 2, 3, 5], groups=[low, low + 1] * 2)
            self.assertEqual("/groups", error["details"]["errors"][0]["path"])

    def test_a_column_of_batches_with_the_name_of_a_feature(self):
        rows = [{"y_mean": 1, "y": 2}, {"y_mean": 1, "y": 3}]
        error = self.refused("extract_batch_features", data=rows, value_columns=["y"], batch_column="y_mean")
        self.assertEqual("/batch_column", error["details"]["errors"][0]["path"])
        answer = self.ask("extract_batch_features", data=rows, value_columns=["y"], batch_column="y_mean",
                          features=["max"])
        self.assertEqual([{"y_mean": 1, "y_max": 3}], answer["feature_matrix"])

    def test_a_column_that_is_not_there(self):
        data = [{"batch": "a", "y": 1}, {"batch": "a", "y": 2}]
        for arguments in ({"value_columns": ["z"]}, {"value_columns": ["y"], "batch_column": "lot"},
                          {"value_columns": ["y"], "time_column": "hour"}):
            error = self.refused("extract_batch_features", data=data, **arguments)
            self.assertIn('there are "batch", "y"', error["message"])


class Moved(Tools):
    """What theory says when data are shifted, scaled or shuffled."""

    def data(self, count=60):
        stream = random.Random(7)
        return [round(stream.gauss(20, 3), 3) for _ in range(count)]

    def moved(self, values, factor, shift):
        return [value * factor + shift for value in values]

    def assert_moves(self, tool, name, locations, scales, same, **arguments):
        """Locations take factor and shift, scales the factor alone, and the rest stays."""
        factor, shift = 4.0, 1024.0
        values = self.data()
        before = self.ask(tool, **{name: values}, **arguments)
        after = self.ask(tool, **{name: self.moved(values, factor, shift)}, **arguments)
        for key in locations:
            self.assert_close(before[key] * factor + shift, after[key])
        for key in scales:
            self.assert_close(before[key] * factor, after[key])
        for key in same:
            self.assert_close(before[key], after[key], 1e-9)

    def test_summaries(self):
        locations = ["mean", "median", "min", "max", "center", "percentile_05", "percentile_25", "percentile_75",
                     "percentile_95"]
        for method in ("robust", "classical"):
            self.assert_moves("robust_summary_stats", "values", locations,
                              ["std_ddof0", "std_ddof1", "iqr", "spread"], ["N_non_missing"], method=method)
            self.assert_moves("confidence_interval", "values", ["lower", "center", "upper"], ["margin_of_error"], ["n"],
                              method=method)
        self.assert_moves("robust_scale_sn", "values", [], ["sn"], ["n"])
        self.assert_moves("median_absolute_deviation", "values", [], ["mad"], ["n"])
        self.assert_moves("normality_test", "values", [], [], ["statistic", "p_value", "is_normal"])
        self.assert_moves("detect_outliers", "values", [], [], ["outlier_indices", "n_outliers_found"], alpha=0.5)

    def test_charts(self):
        for chart in ("shewhart", "ewma", "holt_winters"):
            self.assert_moves("control_chart", "values",
                              ["target", "upper_control_limit", "lower_control_limit"], ["spread"],
                              ["out_of_control_indices"], chart_type=chart)
        self.assert_moves("control_chart", "values", ["target"], ["spread", "reference_value", "decision_interval"],
                          ["out_of_control_indices"], chart_type="cusum")

    def test_t_tests(self):
        a, b = self.data(20), self.data(60)[20:45]
        for equal_var in (True, False):
            before = self.ask("ttest_two_samples", group_a=a, group_b=b, equal_var=equal_var)
            after = self.ask("ttest_two_samples", group_a=self.moved(a, 4.0, 1024.0), group_b=self.moved(b, 4.0, 1024.0),
                             equal_var=equal_var)
            turned = self.ask("ttest_two_samples", group_a=b, group_b=a, equal_var=equal_var)
            for key in ("t_value", "p_value", "degrees_of_freedom"):
                self.assert_close(before[key], after[key], 1e-9)
            self.assert_close(before["t_value"], -turned["t_value"])
            self.assert_close(before["p_value"], turned["p_value"])
            self.assert_close(before["conf_int_lower"] * 4, after["conf_int_lower"], 1e-9)

    def test_lines(self):
        y = self.data(12)
        before = self.ask("robust_regression", x=POSITION, y=y)
        after = self.ask("robust_regression", x=self.moved(POSITION, 2.0, 64.0), y=self.moved(y, 4.0, 1024.0))
        self.assert_close(before["slope"] * 2, after["slope"], 1e-10)
        self.assert_close(before["r2"], after["r2"], 1e-9)
        self.assert_close([e * 4 for e in before["residuals"]], after["residuals"], 1e-9)
        self.assert_close(before["slope"], self.ask("repeated_median", x=POSITION, y=y)["slope"], 1e-14)

    def test_order_is_of_no_account(self):
        values, stream = self.data(), random.Random(3)
        places = list(range(len(values)))
        stream.shuffle(places)
        shuffled = [values[at] for at in places]
        for tool in ("robust_summary_stats", "robust_scale_sn", "median_absolute_deviation", "normality_test",
                     "confidence_interval", "process_capability"):
            with self.subTest(tool=tool):
                more = {"upper_spec": 40} if tool == "process_capability" else {}
                self.assert_close(self.ask(tool, values=values, **more), self.ask(tool, values=shuffled, **more), 1e-14)
        groups = [at % 7 for at in range(len(values))]
        self.assert_close(self.ask("within_between_variance", values=values, groups=groups),
                          self.ask("within_between_variance", values=shuffled, groups=[groups[at] for at in places]))
        x = [at ** 1.1 for at in range(len(values))]
        y = [max(0.0, 30 - at) + value / 100 for at, value in enumerate(values)]
        elbow = self.ask("find_elbow", x=x, y=y)
        again = self.ask("find_elbow", x=[x[at] for at in places], y=[y[at] for at in places])
        self.assertEqual(elbow["elbow_index"], places[again["elbow_index"]])

    def test_batches(self):
        stream = random.Random(11)
        rows = [{"batch": "B%d" % (at % 3), "t": at / 2, "y": stream.random()} for at in range(30)]
        features = ["mean", "median", "std", "iqr", "sum", "min", "max", "count", "area", "slope"]
        more = {"value_columns": ["y"], "features": features, "time_column": "t"}
        before = self.ask("extract_batch_features", data=rows, **more)
        stream.shuffle(rows)
        self.assert_close(before, self.ask("extract_batch_features", data=rows, **more), 1e-13)
        self.assertEqual(["B0", "B1", "B2"], [row["batch"] for row in before["feature_matrix"]])


class Limits(Tools):
    def test_points_of_a_robust_line(self):
        many = {"x": list(range(5001)), "y": list(range(5001))}
        for tool in ("repeated_median", "robust_regression"):
            error = self.refused(tool, **many)
            self.assertIn("max_regression_points", error["message"])
        if "repeated_median" in self.listed:
            with mcp.Server(self, env={"TOOLHOST_MAX_REGRESSION_POINTS": "100000"}) as server:
                server.initialize()
                self.assertEqual({"slope": 1, "n": 5001}, server.call("repeated_median", many)["structuredContent"])

    def test_a_million_values(self):
        values = [(at * 7919) % 1000003 for at in range(1000000)]
        answer = self.ask("robust_scale_sn", values=values)
        self.assertEqual(1000000, answer["n"])
        self.assert_close(1000003 / 4 * 1.1926, answer["sn"], 1e-3)


if __name__ == "__main__":
    program.main(__name__)
