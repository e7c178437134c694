import { describe, expect, test } from 'vitest';
import { readKind, readPasted } from '../../../../src/config/add/pasted.ts';
import { told } from './fixtures.ts';
import { forms } from './pastedForms.ts';

describe('given text from a readme', () => {
	test.each(forms)('%s', (_, text, ...servers) => {
		expect(readPasted(text)).toMatchObject({ faults: [] });
		expect(readPasted(text).servers.map(told)).toEqual(servers);
	});

	test('then changes to the command are noted', () => {
		const notes = (text: string) => readPasted(text).servers.flatMap((draft) => draft.notes);
		expect(notes('docker run -dt --rm mcp/time')).toEqual([
			'"-dt" is removed: the server runs over stdio, without a terminal.',
			'"-i" was added, because the server could not receive messages without it.',
		]);
		expect(notes('cmd /c npx acme-mcp')).toEqual([
			'"cmd /c" before the command is removed: it is not needed here.',
		]);
	});
});

test('nobody’s file makes tools run without asking: its allow list is left out', () => {
	const [found] = readPasted(
		'{"servers":{"a":{"command":"a","alwaysAllow":["x"],"autoApprove":["y"]}}}',
	).servers;
	expect(found?.notes).toEqual([
		'Its auto-approved tools are not imported. You decide here what runs without asking.',
	]);
});

describe('given text that names no server', () => {
	test.each([
		...['javascript:alert(1)', 'file:///etc/passwd', 'command:workbench.action.quit'].map((address) => [
			address,
			`Server URLs must start with http:// or https://. "${address.split(':')[0]}:" is not supported.`,
		]),
		['vscode:mcp/install?%7Bno', 'The link cannot be read.'],
		[
			'https://github.com/acme/mcp',
			'This URL is a repository page. Paste the command or the JSON from its readme.',
		],
		['npx -y "acme', 'A quotation mark is not closed.'],
		[
			'npx -y acme-mcp | tee log',
			'It contains "|", which needs a shell. Paste only the command that starts the server.',
		],
		[
			'npx -y acme-mcp $(cat key)',
			'It contains "(", which needs a shell. Paste only the command that starts the server.',
		],
		[
			'npm install -g acme-mcp',
			'None of these commands starts a server, and none was run: npm. If the package is a server, paste "npx -y acme-mcp".',
		],
		[
			'npx -y @smithery/cli install acme --client claude',
			'None of these commands starts a server, and none was run: npx. Paste the command or the JSON that defines the server.',
		],
		[
			'rm -rf / && echo hi',
			'None of these commands starts a server, and none was run: rm, echo. Paste the command or the JSON that defines the server.',
		],
		['claude mcp add acme', 'This command defines no server. Enter a name and a command, or a URL.'],
		[
			'{"mcpServers": {\n"a": {"command": "npx"',
			'The JSON cannot be read. Line 2: The file ends too early: expected a closing brace }.',
		],
		['{"a": 1}', 'This JSON defines no server with a "command" or a "url".'],
		...[
			'"bugs": {"url": "https://example.com/bugs"}, "version": "1.0.0"',
			'"repository": {"url": "https://github.com/acme/notes"}, "version": "1.0.0", "packages": [{"identifier": "notes"}]',
			'"version": "1.0.0", "remotes": [{"type": "sse", "url": "https://example.com/mcp"}], "_meta": {"a": {"url": "https://a.example"}}',
		].flatMap((rest) =>
			[`{"name": "acme/notes", ${rest}}`, `{"server": {"name": "acme/notes", ${rest}}}`].map((text) => [
				text,
				'This JSON defines no server with a "command" or a "url".',
			]),
		),
		[
			'{"servers":{"a":{"command":"a","args":[{}]}}}',
			'The server "a" cannot be read: its "args" are not a list of strings.',
		],
		[
			'npx -y acme \u001b[31m',
			'The text contains a control character (U+001B), so it may not be what it looks like.',
		],
		['npx -y acme\0', 'The text contains a control character (U+0000), so it may not be what it looks like.'],
		['x '.repeat(200_000), 'The text has 399999 characters; at most 65536 are read.'],
		['github issues', 'No server found: there is no command, no URL, and no JSON that defines a server.'],
		[
			'Once upon a time\nthere was a server.',
			'No server found: there is no command, no URL, and no JSON that defines a server.',
		],
	])('then the error says why: %.40j', (text, fault) => {
		expect(readPasted(text)).toMatchObject({ servers: [], faults: [fault] });
	});

	test.each(['mcp-server-git', 'weather'])('then %j may be a package’s name', (words) => {
		expect(readPasted(words)).toEqual({ servers: [], faults: [], words });
	});
});

describe('the server for a kind and a name', () => {
	test.each([
		['npm', ' @acme/notes-mcp@1.2.3 ', 'notes: npx -y @acme/notes-mcp@1.2.3'],
		['python', 'mcp-server-git==1.0', 'git: uvx mcp-server-git==1.0'],
		['container', 'mcp/time:1', 'time: docker run -i --rm mcp/time:1'],
		['address', 'https://mcp.notion.com/mcp', 'notion: https://mcp.notion.com/mcp'],
	] as const)('%s', (kind, name, server) => {
		expect(readKind(kind, name).servers.map(told)).toEqual([server]);
	});

	test.each([
		['npm', 'a b'],
		['npm', '--yes'],
		['python', '-c'],
		['python', 'git+https://example.com/x'],
		['container', '--privileged'],
		['container', 'a b'],
		['address', 'ftp://x'],
		['address', 'notion'],
	] as const)('%s: rejects %j', (kind, name) => {
		expect(readKind(kind, name).servers).toEqual([]);
		expect(readKind(kind, name).faults).toHaveLength(1);
	});
});
