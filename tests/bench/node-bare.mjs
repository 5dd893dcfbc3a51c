// SPDX-License-Identifier: MIT
// The least that a server in Node.js does: no SDK, no checks. JSON.parse, a switch, JSON.stringify.
import { createInterface } from 'node:readline';

function summary(values) {
	const sorted = Float64Array.from(values).sort();
	const n = sorted.length, mean = sorted.reduce((sum, value) => sum + value, 0) / n;
	const spread = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	const median = n % 2 ? sorted[(n - 1) / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	return { n, mean, median, sd: Math.sqrt(spread / (n - 1)), min: sorted[0], max: sorted[n - 1] };
}

function answer({ method, params }) {
	switch (method) {
	case 'initialize':
		return { protocolVersion: params.protocolVersion, capabilities: { tools: {} },
			 serverInfo: { name: 'node-bare', version: '0' } };
	case 'tools/list':
		return { tools: [] };
	default: {
		const { name, arguments: args } = params;
		const text = name === 'echo' ? args.text : JSON.stringify(summary(args.values));
		return { content: [{ type: 'text', text }] };
	}
	}
}

createInterface({ input: process.stdin }).on('line', (line) => {
	const message = JSON.parse(line);
	if (message.id !== undefined)
		process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }) + '\n');
});
