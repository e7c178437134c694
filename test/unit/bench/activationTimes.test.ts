import { describe, expect, test } from 'vitest';
import { readActivationTimes } from '../../../bench/activation/activationTimes.ts';

// Lines of a real page of VS Code 1.139.
const page = `## Extension Activation Stats
| Extension                   | Eager | Load Code | Call Activate | Finish Activate | Event             | By                          |
| --------------------------- | ----- | --------- | ------------- | --------------- | ----------------- | --------------------------- |
| vscode.git-base             | true  | 12        | 3             | 0               | *                 | vscode.git-base             |
| mcp-discovery.mcp-discovery | false | 109       | 2             | 402             | onStartupFinished | mcp-discovery.mcp-discovery |
`;

describe("given the editor's startup performance page", () => {
	test("then the extension's times are read from its row", () => {
		expect(readActivationTimes(page, 'mcp-discovery.mcp-discovery')).toEqual({
			loadMs: 109,
			callMs: 2,
			finishMs: 402,
		});
	});

	test('when the page does not list the extension, then there are no times', () => {
		expect(readActivationTimes(page, 'someone.else')).toBeUndefined();
		expect(readActivationTimes('', 'mcp-discovery.mcp-discovery')).toBeUndefined();
	});
});
