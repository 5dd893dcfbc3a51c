// SPDX-License-Identifier: MIT
//
// The official TypeScript client over the standard streams: lists every tool, calls each with its own first example, and
// provokes one error from each. The client checks structured content against the listed output schema by itself.
//
//	node client.mjs v1|v2 TOOLHOST
//
// v1 is @modelcontextprotocol/sdk, v2 @modelcontextprotocol/client. The examples are not on the wire; toolhost lists them.
import { execFileSync } from 'node:child_process';

const LINES = {
	v1: async () => ({
		...(await import('@modelcontextprotocol/sdk/client/index.js')),
		...(await import('@modelcontextprotocol/sdk/client/stdio.js')),
	}),
	v2: async () => ({
		...(await import('@modelcontextprotocol/client')),
		...(await import('@modelcontextprotocol/client/stdio')),
	}),
};

const [line, toolhost] = process.argv.slice(2);
const counts = { passed: 0, failed: 0 };

async function check(name, run) {
	try {
		await run();
		counts.passed++;
	} catch (error) {
		counts.failed++;
		console.log(`typescript-${line}: ${name}: ${String(error.message ?? error).slice(0, 1000)}`);
	}
}

function expect(condition, what) {
	if (!condition)
		throw new Error(what);
}

async function listAll(client) {
	const tools = [];
	let cursor;
	do {
		const page = await client.listTools(cursor === undefined ? undefined : { cursor });
		tools.push(...page.tools);
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return tools;
}

async function callWithExample(client, tool, example) {
	expect(example, 'it has no example');
	const result = await client.callTool({ name: tool.name, arguments: example.arguments ?? {} });
	expect(!result.isError, `its example fails: ${JSON.stringify(result.content)}`);
	expect(result.content.length > 0, 'the result has no content');
	if (tool.outputSchema)
		expect(JSON.stringify(JSON.parse(result.content[0].text)) === JSON.stringify(result.structuredContent),
		       'the text is not the structured content');
}

async function provokeError(client, tool) {
	const result = await client.callTool({ name: tool.name, arguments: { no_such_argument: 1 } });
	expect(result.isError === true, `a key that it does not know is taken: ${JSON.stringify(result).slice(0, 300)}`);
	const { error } = JSON.parse(result.content[0].text);
	expect(error.code === 'input_invalid', `the error is ${error.code}`);
	expect(error.message.includes('no_such_argument') || JSON.stringify(error.details).includes('no_such_argument'),
	       `the error does not name the key: ${error.message}`);
}

async function main() {
	const described = new Map(JSON.parse(execFileSync(toolhost, ['list', '--format', 'json'], { maxBuffer: 1 << 28 }))
		.map((tool) => [tool.name, tool]));
	const { Client, StdioClientTransport } = await LINES[line]();
	const client = new Client({ name: 'toolhost-tests', version: '1.0.0' });
	await client.connect(new StdioClientTransport({ command: toolhost, args: ['serve', '--stdio'], stderr: 'inherit' }));
	let tools = [];
	await check('ping', () => client.ping());
	await check('the list', async () => {
		tools = await listAll(client);
		expect(tools.length > 0, 'there are no tools');
		expect(tools.length === described.size, `${tools.length} tools are listed, of ${described.size}`);
	});
	for (const tool of tools) {
		await check(tool.name, () => callWithExample(client, tool, described.get(tool.name)?.examples?.[0]));
		await check(`${tool.name}, an error`, () => provokeError(client, tool));
	}
	await check('an unknown tool', async () => {
		let refused = false;
		try {
			refused = (await client.callTool({ name: 'no_such_tool', arguments: {} })).isError === true;
		} catch (error) {
			refused = error.code === -32602;
		}
		expect(refused, 'it was called');
	});
	await client.close();
	console.log(`typescript-${line}: ${counts.passed} passed, ${counts.failed} failed`);
	process.exit(counts.failed ? 1 : 0);
}

await main();
