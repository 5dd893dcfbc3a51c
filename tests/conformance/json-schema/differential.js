// SPDX-License-Identifier: MIT
//
// The verdicts of Ajv, in the form of verdicts.c. Started by differential.py in the folder that Ajv is installed in.
"use strict";

const readline = require("readline");
const { createRequire } = require("module");
const load = createRequire(process.cwd() + "/");

const options = { strict: false, allErrors: false, logger: false, validateFormats: false };
const Ajv7 = load("ajv").default;
const Ajv2020 = load("ajv/dist/2020").default;

readline.createInterface({ input: process.stdin }).on("line", (text) => {
	const { schema, instances } = JSON.parse(text);
	const draft7 = typeof schema === "object" && /draft-07/.test(schema.$schema || "");
	try {
		// A new one for each schema, since identifiers stay registered.
		const validate = new (draft7 ? Ajv7 : Ajv2020)(options).compile(schema);
		console.log(instances.map((instance) => (validate(instance) ? "v" : "i")).join(""));
	} catch (error) {
		console.log("refused: " + String(error.message).replace(/\n/g, " "));
	}
});
