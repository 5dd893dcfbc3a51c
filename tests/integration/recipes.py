# SPDX-License-Identifier: MIT
"""Each recipe that spans packs is followed, step by step, on its data set; and the catalogue as a whole."""
import json
import os

import mcp
import program

RECIPES = os.path.join(program.SOURCE, "recipes")
ADVICE = os.path.join(program.LAB, "advice.so")


def shipped(spanning=None):
    """The recipe files by key; those with a data set where `spanning`."""
    found = {}
    for name in sorted(os.listdir(RECIPES)):
        if name.endswith(".json"):
            with open(os.path.join(RECIPES, name), encoding="utf-8") as file:
                recipe = json.load(file)
            if spanning is None or spanning == os.path.exists(os.path.join(RECIPES, "data", name)):
                found[recipe["key"]] = recipe
    return found


class Followed(program.Case):
    """A walk: every stage's tools are called with arguments that the stage hints at, and every hint is used."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = mcp.Server(cls, "--strict-results")
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__, None, None, None)
        cls.server.initialize()
        cls.offered = cls.server.tools()
        cls.walked = set()

    def begin(self, key):
        self.recipe = shipped()[key]
        missing = {tool for stage in self.recipe["stages"] for tool in stage.get("tools", [])} - set(self.offered)
        if missing:
            self.skipTest("packs that were left out of this build: %s" % ", ".join(sorted(missing)))
        with open(os.path.join(RECIPES, "data", key + ".json"), encoding="utf-8") as file:
            data = json.load(file)
        self.assertEqual(key, data["recipe"])
        self.called = {}
        self.walked.add(key)
        return data

    def step(self, order, tool, arguments):
        stage = self.recipe["stages"][order - 1]
        self.assertIn(tool, stage["tools"])
        self.assertLessEqual(set(arguments), set(stage["arg_hints"]), "stage %d hints at no more" % order)
        tools, hints = self.called.setdefault(order, (set(), set()))
        tools.add(tool)
        hints.update(arguments)
        result = self.server.call(tool, arguments)
        self.assertFalse(result.get("isError"), result["content"])
        return result["structuredContent"]

    def end(self):
        for stage in self.recipe["stages"]:
            tools, hints = self.called.get(stage["order"], (set(), set()))
            self.assertEqual(set(stage.get("tools", [])), tools, "tools of stage %d" % stage["order"])
            self.assertEqual(set(stage.get("arg_hints", {})), hints, "hints of stage %d" % stage["order"])

    def test_outlier_triage(self):
        data = self.begin("outlier_triage")
        values = data["values"]
        summary = self.step(1, "robust_summary_stats", {"values": values, "method": "robust"})
        self.assertGreater(summary["std_ddof1"], 5 * summary["spread"], "a few values carry the classical numbers")
        found = self.step(2, "detect_outliers", {"values": values, "robust_variant": True,
                                                 "max_outliers_to_detect": len(values) // 10, "alpha": 0.05})
        self.assertEqual(sorted(int(index) for index in data["notes"]), sorted(found["outlier_indices"]))
        rest = [value for index, value in enumerate(values) if index not in found["outlier_indices"]]
        self.assertIs(True, self.step(3, "normality_test", {"values": rest})["is_normal"])
        whole = self.step(5, "confidence_interval", {"values": values, "method": "robust", "confidence_level": 0.95})
        clean = self.step(5, "confidence_interval", {"values": rest, "method": "classical", "confidence_level": 0.95})
        self.assertLess(whole["lower"], clean["upper"])
        self.assertLess(clean["lower"], whole["upper"])
        self.end()

    def test_process_capability_study(self):
        data = self.begin("process_capability_study")
        values, limits = data["values"], {key: data[key] for key in ("lower_spec", "upper_spec")}
        chart = self.step(1, "control_chart", {"values": values, "chart_type": "shewhart", "style": "robust"})
        self.assertEqual(0, chart["n_out_of_control"])
        self.assertIs(True, self.step(2, "normality_test", {"values": values})["is_normal"])
        for robust in (True, False):
            capability = self.step(3, "process_capability", {"values": values, **limits, "robust": robust})
            self.assertAlmostEqual(1.1, capability["cpk"], delta=0.1)
        summary = self.step(4, "robust_summary_stats", {"values": values})
        self.assertGreater(summary["center"], (limits["lower_spec"] + limits["upper_spec"]) / 2, "off centre")
        self.end()

    def test_control_chart_setup(self):
        data = self.begin("control_chart_setup")
        values = data["values"]
        self.step(1, "robust_summary_stats", {"values": values, "method": "robust"})
        chart = self.step(2, "control_chart", {"values": values, "chart_type": "shewhart", "style": "robust"})
        self.assertEqual(0, chart["n_out_of_control"])
        outside = [value for value in data["next_values"]
                   if not chart["lower_control_limit"] <= value <= chart["upper_control_limit"]]
        self.assertLess(len(outside), 5, "few single points show the shift")
        quiet = self.step(3, "control_chart", {"values": values, "chart_type": "cusum", "style": "robust"})
        self.assertEqual([], quiet["cusum_alarms"])
        alarmed = self.step(3, "control_chart", {"values": values + data["next_values"], "chart_type": "cusum",
                                                 "style": "robust"})
        (alarm,) = alarmed["cusum_alarms"]
        self.assertEqual("up", alarm["direction"])
        self.assertAlmostEqual(len(values) + 12, alarm["shift_start"], delta=2)
        self.end()

    def test_two_group_comparison(self):
        data = self.begin("two_group_comparison")
        groups = {"group_a": data["group_a"], "group_b": data["group_b"]}
        spreads = []
        for values in groups.values():
            spreads.append(self.step(1, "robust_summary_stats", {"values": values})["std_ddof1"])
            self.assertIs(True, self.step(2, "normality_test", {"values": values})["is_normal"])
        self.assertGreater(spreads[1], spreads[0])
        test = self.step(3, "ttest_two_samples", {**groups, "equal_var": False, "confidence_level": 0.95})
        self.assertIs(True, test["significant"])
        self.assertGreater(test["conf_int_lower"], 0)
        # The other tool of the stage is for pairs, as which these can be read too.
        paired = self.step(3, "ttest_paired_samples", {**groups, "confidence_level": 0.95})
        self.assertAlmostEqual(test["group_a_mean"] - test["group_b_mean"], paired["differences_mean"], places=9)
        rolls = self.step(4, "within_between_variance", {"values": groups["group_a"], "groups": data["rolls_a"]})
        self.assertGreater(rolls["between_ms"], 2 * rolls["within_ms"], "rolls differ")
        self.end()

    def test_batch_trend(self):
        data = self.begin("batch_trend")
        features = self.step(1, "extract_batch_features", {
            "data": data["data"], "value_columns": data["value_columns"], "batch_column": data["batch_column"],
            "time_column": data["time_column"], "features": ["mean", "std", "last", "slope"]})["feature_matrix"]
        self.assertEqual(16, len(features))
        number = list(range(1, 17))

        def line(feature):
            return self.step(2, "robust_regression", {"x": number, "y": [row[feature] for row in features],
                                                      "confidence_level": 0.95})

        drift = line("temperature_mean")
        self.assertAlmostEqual(0.15, drift["slope"], delta=0.03)
        self.assertGreater(drift["slope_confidence_interval"][0], 0)
        steady = self.step(3, "control_chart", {"values": drift["residuals"], "chart_type": "cusum", "style": "robust"})
        self.assertEqual([], steady["cusum_alarms"], "the drift is all that there is")
        acid = self.step(3, "control_chart", {"values": [row["pH_mean"] for row in features], "chart_type": "cusum",
                                              "style": "robust"})
        self.assertTrue(any(alarm["shift_start"] <= 10 <= alarm["sample"] + 1 and alarm["direction"] == "down"
                            for alarm in acid["cusum_alarms"]), acid["cusum_alarms"])
        self.end()

    def test_table_first_look(self):
        data = self.begin("table_first_look")
        rows, names = data["data"], data["column_names"]
        columns = [list(column) for column in zip(*rows)]
        spreads = [self.step(1, "robust_summary_stats", {"values": column})["std_ddof0"] for column in columns]
        self.assertEqual(["setpoint_C"], [name for name, spread in zip(names, spreads) if not spread])
        rows, names = [row[:-1] for row in rows], names[:-1]
        scaled = self.step(2, "scale_data", {"data": rows, "column_names": names})
        self.assertEqual(len(rows), len(scaled["scaled_data"]))
        fit = self.step(3, "fit_pca", {"data": rows, "n_components": 2, "column_names": names})
        self.assertGreater(fit["r2_cumulative"][-1], 0.9)
        found = self.step(4, "detect_multivariate_outliers", {"data": rows, "n_components": 2, "conf_level": 0.95})
        self.assertLessEqual({22, 40}, set(found["outlier_indices"]))
        scores = self.step(6, "pca_predict", {"model_params": fit["model_params"],
                                              "new_data": [row[:-1] for row in data["new_data"]]})
        self.assertEqual([False, False, True], scores["is_outlier"])
        self.end()

    def test_every_recipe_is_followed(self):
        self.assertEqual({name[5:] for name in dir(self) if name.startswith("test_")} - {"every_recipe_is_followed"},
                         set(shipped(spanning=True)))


class Catalogue(program.Case):
    def test_the_shipped_ones_are_sound(self):
        checked = self.run_program("recipe", "check", "--json")
        self.assertEqual(0, checked.status, checked)
        # The one cue that two of the reference's recipes share is theirs, and stays.
        warned = {finding["recipe_key"] for finding in checked.json if finding["kind"] == "warning"}
        self.assertEqual({"golden_batch_baseline", "midcourse_correction"}, warned)
        listed = self.run_program("recipe", "list", "--json").json
        self.assertEqual(set(shipped()), {recipe["recipe_key"] for recipe in listed})

    def test_cues_and_structure_of_the_reference(self):
        path = os.path.join(program.SHARED, "data", "golden", "recipes.json")
        if not os.path.exists(path):
            self.skipTest("the shared data is not beside this checkout")
        with open(path, encoding="utf-8") as file:
            reference = json.load(file)["recipes"]
        ours = shipped()
        listed = [recipe["recipe_key"] for recipe in self.run_program("recipe", "list", "--json").json]
        self.assertEqual([recipe["recipe_key"] for recipe in reference], listed[:len(reference)], "in their order")
        for recipe in reference:
            with self.subTest(recipe["recipe_key"]):
                mine = ours[recipe["recipe_key"]]
                self.assertEqual(recipe["cue_phrases"], mine["cue_phrases"])
                self.assertEqual((recipe["domain"], recipe["status"]), (mine["domain"], mine["status"]))
                self.assertEqual(recipe["n_inputs_needed"], len(mine["inputs_needed"]))
                self.assertEqual([(stage["step"], stage["tools"], stage["arg_hints_keys"]) for stage in recipe["stages"]],
                                 [(stage["order"], stage.get("tools", []), list(stage.get("arg_hints", {})))
                                  for stage in mine["stages"]])
                payload = self.run_program("recipe", "show", "--json", recipe["recipe_key"]).json
                self.assertEqual(recipe["payload_keys"], [key for key in payload if key != "unavailable"])

    def test_requests_for_the_spanning_ones(self):
        for query, key in (("Which of these readings are outliers?", "outlier_triage"),
                           ("What is our Cpk against the spec limits?", "process_capability_study"),
                           ("help me set up an EWMA or CUSUM control chart", "control_chart_setup"),
                           ("Is there a significant difference between the two suppliers?", "two_group_comparison"),
                           ("since which batch has the pH changed? any trend over the batches?", "batch_trend"),
                           ("I have a table with many variables, run a PCA for a first look", "table_first_look"),
                           ("run a t-test on A and B", "two_group_comparison"),
                           ("Student's t-test for these two lists", "two_group_comparison"),
                           ("is our process in control?", "control_chart_setup"),
                           ("detect a small shift in the mean", "control_chart_setup"),
                           ("one value looks suspicious", "outlier_triage"),
                           ("is our process capable of meeting the spec?", "process_capability_study"),
                           ("first look at this table of 12 sensors", "table_first_look")):
            with self.subTest(query):
                self.assertEqual(key, self.run_program("recipe", "select", "--json", query).json["recipe"]["recipe_key"])

    def test_unrelated_text_selects_none(self):
        """A cue counts inside longer words too: none of ours may be the end of one and the start of another."""
        for query in ("what is the weather like", "write me a poem about the sea", "translate this into French", "hello",
                      "print the latest test results", "what is the best test framework", "show me the main controller",
                      "what is the difference between TCP and UDP", "who is in control of the company",
                      "bad reading habits", "a first look at the new film", "is it better than coffee",
                      "photos before and after the wedding", "the military capability of Rome",
                      "many columns of marble", "unlike the rest of his family", "monitoring for my web server"):
            with self.subTest(query):
                result = self.run_program("recipe", "select", query)
                self.assertEqual((0, ""), (result.status, result.out), result)
                self.assertIs(False, self.run_program("recipe", "select", "--json", query).json["matched"])

    def test_a_tool_that_is_off(self):
        options = ["--disabled-tools", "detect_outliers"]
        shown = self.run_program("recipe", "show", "--json", "outlier_triage", *options)
        self.assertIn("detect_outliers", shown.json["unavailable"], shown)
        listed = self.run_program("recipe", "list", *options)
        self.assertRegex(listed.out, r"(?m)^outlier_triage +unavailable ")
        answer = self.run_program("recipe", "select", "--json", "outlier", *options).json
        self.assertEqual(("outlier_triage", "available"), (answer["recipe"]["recipe_key"], answer["recipe"]["status"]))

    def test_faulty_files(self):
        good = shipped()["outlier_triage"]
        for change, words in (({"key": "no good"}, ["/key"]), ({"format": 2}, ["/format"]), ({"colour": 1}, ["/colour"]),
                              ({"cue_phrases": ["?!"]}, ["no word"]), ({"stages": []}, ["no stages"]),
                              ({"inputs_needed": []}, ["inputs_needed"]),
                              ({"stages": [{**good["stages"][0], "order": 2}]}, ["stage 1", "order 2"]),
                              ({"stages": [{**good["stages"][0], "arg_hints": {"valus": "x"}}]}, ["valus", "no parameter"])):
            with self.subTest(repr(change)[:60]):
                path = self.write("recipe.json", json.dumps({**good, **change}))
                checked = self.run_program("recipe", "check", path)
                self.assertEqual(1, checked.status, checked)
                for word in [path, "fault", *words]:
                    self.assertIn(word, checked.out)
                self.assert_bounded(checked.out)
        twice = [self.write(name, json.dumps(good)) for name in ("one.json", "two.json")]
        checked = self.run_program("recipe", "check", *twice)
        self.assertEqual(1, checked.status, checked)
        for path in twice:
            self.assertIn(path, checked.out, "both are named")
        large = self.run_program("recipe", "check", self.write("large.json", '"%s"' % ("x" * (1 << 20))))
        self.assertIn("larger than 1 MiB", large.out)
        pipe = os.path.join(self.home, "pipe.json")
        os.mkfifo(pipe)
        for path in (pipe, self.home, "/dev/zero"):
            self.assertIn("not a regular file", self.run_program("recipe", "check", path).out)
        missing = self.run_program("recipe", "check", "/nonexistent.json")
        self.assertEqual(1, missing.status, missing)

    def test_text_that_is_no_utf8(self):
        for request, key in ((b"outlier\xff", "outlier_triage"), (b"\xe9 an outlier \xf0\x9f", "outlier_triage"),
                             (b"\xff\xfe", None), (b"\xed\xa0\x80", None)):
            answer = self.run_program("recipe", "select", "--json", request)
            self.assertEqual(0, answer.status, answer)
            self.assertEqual(key, answer.json["recipe"] and answer.json["recipe"]["recipe_key"])

    def test_a_finding_is_one_line(self):
        good = shipped()["outlier_triage"]
        name = "two\nlines.json"
        for change in ({"key": "no\ngood"}, {"key": "x" * 3000}, {"key": "\x1b[2J"}):
            checked = self.run_program("recipe", "check", self.write(name, json.dumps({**good, **change})))
            lines = checked.out.splitlines()
            self.assertEqual(2, len(lines), checked)
            self.assertRegex(lines[0], r"two\\x0alines\.json: fault: /key: expected ")

    def test_missing_tools_are_named_however_long(self):
        good = shipped()["outlier_triage"]
        for names, words in ((["x" * 5000], "x" * 100), (["tool%d" % i for i in range(500)], "tool0, tool1, ")):
            stage = {"order": 1, "directive": "Do.", "tools": names}
            path = self.write("long.json", json.dumps({**good, "key": "long", "stages": [stage]}))
            checked = self.run_program("recipe", "check", path)
            self.assertIn("missing or switched off: " + words, checked.out)
            self.assert_bounded(checked.out)

    def test_unknown(self):
        result = self.run_program("recipe", "show", "outlier_triag")
        self.assertEqual((5, ""), (result.status, result.out))
        self.assertIn("outlier_triage", result.err)


class Folders(program.Case):
    """Recipes of the operator's own, in folders that the config names."""

    def setUp(self):
        self.mine = os.path.join(self.home, "mine")
        os.makedirs(self.mine, exist_ok=True)
        self.good = {**shipped()["outlier_triage"], "key": "mine", "cue_phrases": ["count my sheep"]}

    def put(self, name, content):
        with open(os.path.join(self.mine, name), "w", encoding="utf-8") as file:
            json.dump(content, file)

    def config(self, *folders):
        return ["--config", self.write("recipes.conf", "\n\nrecipe_dirs = { %s }\n" %
                                       ", ".join('"%s"' % folder for folder in folders))]

    def test_in_the_catalogue(self):
        self.put("mine.json", self.good)
        # One folder by two names is read once.
        os.symlink(self.mine, os.path.join(self.home, "again"))
        options = self.config(self.mine, os.path.join(self.home, "again"),
                              os.path.join(os.path.dirname(program.TOOLHOST), "recipes"))
        listed = self.run_program("recipe", "list", "--json", *options)
        self.assertEqual((set(shipped()) | {"mine"}, ""), ({recipe["recipe_key"] for recipe in listed.json}, listed.err))
        alone = self.run_program("recipe", "list", "--json", "--no-default-packs", *self.config(self.mine))
        self.assertEqual(["mine"], [recipe["recipe_key"] for recipe in alone.json])
        self.assertIn("From %s/mine.json" % self.mine, self.run_program("recipe", "show", "mine", *options).out)
        folders = self.run_program("config", "--json", *self.config(self.mine)).json["recipeDirs"]
        self.assertEqual([self.mine], folders["config"])
        # The recipes of the config are none of a pack's.
        self.put("bad.json", {**self.good, "key": "no good"})
        checked = self.run_program("pack", "check", "hello", *options)
        self.assertEqual(0, checked.status, checked)
        os.unlink(os.path.join(self.mine, "bad.json"))

    def test_one_that_others_may_write(self):
        folder = os.path.join(self.home, "theirs")
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        for named, warned in ((folder, 1), (self.mine, 0)):
            result = self.run_program("recipe", "list", *self.config(named))
            self.assertEqual((0, warned), (result.status, result.err.count("a folder that others may change: ")), result)

    def test_texts_stay_on_their_line(self):
        title = "Mine\nforged  available  Forged \x1b[2J \x9b31m"
        self.put("forged.json", {**self.good, "key": "forged", "title": title, "cue_phrases": ["forged\nsheep"],
                                 "stages": [{"order": 1, "directive": "Do.", "tools": ["echo\nforged: x"]}]})
        options = ["--no-default-packs", *self.config(self.mine)]
        spelled = "Mine\\x0aforged  available  Forged \\x1b[2J \\x9b31m"
        listed = self.run_program("recipe", "list", *options)
        self.assertIn("forged  unavailable  %s\n" % spelled, listed.out)
        shown = self.run_program("recipe", "show", "forged", *options)
        self.assertTrue(shown.out.startswith("forged: %s (unavailable)\n" % spelled), shown)
        self.assertIn("tools: echo\\x0aforged: x\n", shown.out)
        selected = self.run_program("recipe", "select", "forged sheep", *options)
        self.assertEqual("forged: %s\n  cues: forged\\x0asheep\n" % spelled, selected.out)
        os.unlink(os.path.join(self.mine, "forged.json"))

    def test_one_that_is_not_there(self):
        for path, reason in ((os.path.join(self.home, "nowhere"), "No such file or directory"),
                             (self.write("file", ""), "Not a directory")):
            result = self.run_program("list", *self.config(self.mine, path))
            self.assertEqual((2, ""), (result.status, result.out))
            self.assertIn("recipes.conf:3: recipe_dirs names %s: %s" % (path, reason), result.err)

    def test_the_doctor_tells_what_is_left_out(self):
        self.put("bad.json", {**self.good, "format": 2})
        result = self.run_program("doctor", "--json", *self.config(self.mine))
        os.unlink(os.path.join(self.mine, "bad.json"))
        (finding,) = [finding for finding in result.json["recipes"] if finding["finding"] == "fault"]
        self.assertEqual((1, "mine"), (result.status, finding["name"]))
        self.assertIn("%s/bad.json: /format: expected 1, found 2" % self.mine, finding["text"])


class OfPacks(program.Case):
    """Recipes that come in a pack: in the catalogue beside those of files, and looked at by `pack check`."""

    def test_in_the_catalogue(self):
        options = ["--pack-dir", self.folder(ADVICE)]
        listed = self.run_program("recipe", "list", "--json", *options)
        keys = [recipe["recipe_key"] for recipe in listed.json]
        self.assertEqual(set(shipped()) | {"advice_good", "advice_far"}, set(keys))
        self.assertRegex(listed.err, r'a recipe of pack advice is left out: stage 1 hints at "value"')
        answer = self.run_program("recipe", "select", "--json", "count my sheep", *options).json
        self.assertEqual("advice_good", answer["recipe"]["recipe_key"])
        self.assertIn("From pack advice", self.run_program("recipe", "show", "advice_far", *options).out)
        checked = self.run_program("recipe", "check", *options)
        self.assertEqual(1, checked.status, checked)
        self.assertIn("pack advice: fault: advice_bad: stage 1 hints at", checked.out)

    def test_their_check(self):
        checked = self.run_program("pack", "check", "--json", ADVICE)
        self.assertEqual(1, checked.status, checked)
        (report,) = checked.json
        (fault,) = report["faults"]
        self.assertIn('Recipe "advice_bad": stage 1 hints at "value"', fault)
        (warning,) = report["warnings"]
        self.assertRegex(warning, r'Recipe "advice_far": .*: add \(only this pack was looked at\)')


if __name__ == "__main__":
    program.main(__name__)
