import { describe, expect, test } from 'vitest';
import { guessedServers, readPasted } from '../../../../src/config/add/pasted.ts';
import { told } from './fixtures.ts';
import { forms } from './pastedForms.ts';

describe('given text from a readme', () => {
	test.each(forms)('%s', (_, text, ...servers) => {
		expect(readPasted(text)).toMatchObject({ faults: [] });
		expect(readPasted(text).servers.map(told)).toEqual(servers);
	});

	test('then changes to the command are noted', () => {
		const notes = (text: string) => readPasted(text).servers.flatMap((draft) => draft.notes);
		expect(notes('docker run -dt --rm mcp/time')).toMatchSnapshot();
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
		]),
		['vscode:mcp/install?%7Bno'],
		['https://github.com/acme/mcp'],
		['npx -y "acme'],
		['npx -y acme-mcp | tee log'],
		['npx -y acme-mcp $(cat key)'],
		['npm install ./acme-mcp'],
		['npx -y @smithery/cli install acme --client claude'],
		['rm -rf / && echo hi'],
		['claude mcp add acme'],
		['{"mcpServers": {\n"a": {"command": "npx"'],
		['{"a": 1}'],
		...[
			'"bugs": {"url": "https://example.com/bugs"}, "version": "1.0.0"',
			'"repository": {"url": "https://github.com/acme/notes"}, "version": "1.0.0", "packages": [{"identifier": "notes"}]',
			'"version": "1.0.0", "_meta": {"a": {"url": "https://a.example"}}',
		].flatMap((rest) =>
			[`{"name": "acme/notes", ${rest}}`, `{"server": {"name": "acme/notes", ${rest}}}`].map((text) => [
				text,
			]),
		),
		['{"servers":{"a":{"command":"a","args":[{}]}}}'],
		['npx -y acme \u001b[31m'],
		['npx -y acme\0'],
		['x '.repeat(200_000)],
		['github issues'],
		['Once upon a time\nthere was a server.'],
	])('then the error says why: %.40j', (text) => {
		const { servers, faults } = readPasted(text);
		expect(servers).toEqual([]);
		expect(faults).toMatchSnapshot();
	});

	test.each(['mcp-server-git', 'weather', 'mcp/time'])('then %j may be a package’s name', (words) => {
		expect(readPasted(words)).toEqual({ servers: [], faults: [], words });
	});
});

describe('the servers that a name may stand for', () => {
	test.each([
		['@acme/notes-mcp@1.2.3', ['npm notes: npx -y @acme/notes-mcp@1.2.3']],
		['mcp-server-git==1.0', ['python git: uvx mcp-server-git==1.0']],
		['mcp/time:1', ['container time: docker run -i --rm mcp/time:1']],
		['git', ['npm git: npx -y git', 'python git: uvx git', 'container git: docker run -i --rm git']],
		['', []],
		['a b', []],
		['--yes', []],
		['-c', []],
		['git+https://example.com/x', []],
		['a'.repeat(81), []],
	])('%s', (name, servers) => {
		expect(guessedServers(name).map(({ kind, server }) => `${kind} ${told(server)}`)).toEqual(servers);
	});
});
