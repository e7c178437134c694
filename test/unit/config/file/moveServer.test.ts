import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import {
	hasServer,
	movedServer,
	startingIn,
	withoutServer,
	withServer,
} from '../../../../src/config/file/moveServer.ts';

const from = `{
  "mcpServers": {
    // Ours.
    "git": {
      "command": "node", // the one in PATH
      "env": { "KEY": "\${env:GIT_KEY}" },
    },
    "memory": { "command": "npx" }
  }
}
`;
const to = `{
	"servers": {
		"notes": { "command": "x" },
	},
}
`;

function moved(name: string, source = from, target = to): { from: string; to: string } {
	const server = movedServer(source, name);
	if (!server) throw new Error(`there is no ${name}`);
	return {
		from: applyEdits(source, [...(withoutServer(source, name) ?? [])]),
		to: applyEdits(target, [...(withServer(target, server) ?? [])]),
	};
}

describe('a server moved to another file', () => {
	test('keeps its lines and comments, with the indentation of its neighbours', () => {
		expect(moved('git')).toEqual({
			from: `{
  "mcpServers": {
    // Ours.
    "memory": { "command": "npx" }
  }
}
`,
			to: `{
	"servers": {
		"notes": { "command": "x" },
		"git": {
		  "command": "node", // the one in PATH
		  "env": { "KEY": "\${env:GIT_KEY}" },
		},
	},
}
`,
		});
	});

	test.each([
		['{}', '{ "servers": { "memory": { "command": "npx" } } }'],
		['{ "mcp_servers": {} }', '{ "mcp_servers": { "memory": { "command": "npx" } } }'],
		[
			'{\r\n\t"servers": {\r\n\t},\r\n}\r\n',
			'{\r\n\t"servers": {\r\n\t\t"memory": { "command": "npx" }\r\n\t},\r\n}\r\n',
		],
	])('is inserted into %j', (target, expected) => {
		expect(moved('memory', from, target).to).toBe(expected);
	});

	test('leaves both files unchanged after moving back', () => {
		const there = moved('git');
		const back = moved('git', there.to, there.from);
		expect(back.from).toBe(to);
		expect(JSON.parse(JSON.stringify(movedServer(back.to, 'git')?.text))).toContain('the one in PATH');
	});

	test('lists the variables that it reads, and is not moved if it is missing or the file is malformed', () => {
		expect(movedServer(from, 'git')?.reads).toEqual(['GIT_KEY']);
		expect(movedServer(from, 'other')).toBeUndefined();
		expect(withoutServer(from, 'other')).toBeUndefined();
		expect(withServer('{ "servers": ', { name: 'a', text: '{}', reads: [] })).toBeUndefined();
		expect([hasServer(from, 'git'), hasServer(from, 'servers')]).toEqual([true, false]);
	});
});

describe('the working folder of a moved server', () => {
	const entry = (text: string, folder: 'workspace' | 'home') =>
		startingIn({ name: 'x', text, reads: [] }, folder).text;

	test.each([
		['{ "command": "npx", "args": ["-y", "@scope/thing.js"] }', undefined],
		['{ "url": "https://example.com/mcp" }', undefined],
		['{ "command": "node", "args": ["/abs/server.js"] }', undefined],
		['{ "command": "node", "cwd": "/abs" }', undefined],
		[`{ "command": "node", "cwd": "\${userHome}/x" }`, undefined],
		['{ "command": "node", "args": ["server.js"] }', `\${workspaceFolder}`],
		['{ "command": "./bin/server" }', `\${workspaceFolder}`],
		['{ "command": "node", "cwd": "tools" }', `\${workspaceFolder}/tools`],
	])('is as expected for %s', (text, cwd) => {
		const written = entry(text, 'workspace');
		if (cwd === undefined) expect(written).toBe(text);
		else expect(JSON.parse(written)).toMatchObject({ cwd });
	});

	test('is the home folder when the server leaves the user’s file', () => {
		expect(JSON.parse(entry('{ "command": "node", "cwd": "tools" }', 'home'))).toMatchObject({
			cwd: `\${userHome}/tools`,
		});
	});
});
