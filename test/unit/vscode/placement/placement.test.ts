import { describe, expect, test } from 'vitest';
import type { UndoableChange } from '../../../../src/vscode/core/undo.ts';
import {
	defer,
	loadTools,
	pin,
	switchOnOrOff,
	undoLast,
} from '../../../../src/vscode/placement/placement.ts';
import { answers, messages, questions } from '../editor.ts';
import { openServers } from '../openServers.ts';

const TEXT = `{
	// Kept by every change.
	"servers": {
		"files": { "command": "node", "defer_loading": true },
		"git": { "command": "node", "defer_loading": true }
	},
	"tool_discovery": { "enabled": true, "max_active_schemas": 2 }
}
`;

/** A window on two deferred servers, with a chat. */
async function openWindow() {
	const window = await openServers(
		{ work: TEXT },
		{ files: ['read', 'write', 'list'], git: ['log', 'show'] },
	);
	const chat = window.sessions.open(undefined);
	const run = async (change: Promise<UndoableChange | undefined> | UndoableChange | undefined) => {
		const made = await change;
		if (made) window.undo.push(made);
		return made?.label;
	};
	return {
		...window,
		run,
		/** By their ids. */
		loaded: () => chat.discovery.loadedTools.map(({ id }) => id),
		text: () => window.textOf('work'),
	};
}

describe('given a chat and two deferred servers', () => {
	test('when a tool and a server are pinned, then both are in the file and loaded, and Undo takes back both as one', async () => {
		const { run, loaded, text, undo, toolNode, serverNode, ...window } = await openWindow();
		const nodes = [toolNode('files', 'read'), serverNode('git')];
		expect(await run(pin({ ...window, undo }, nodes))).toBe('pin 2 servers and tools');
		expect(loaded()).toEqual(['files:read', 'git:log', 'git:show']);
		expect(text()).toContain('// Kept by every change.');
		await undoLast({ undo });
		expect([text(), loaded()]).toEqual([TEXT, []]);
		expect(messages).toEqual(['Discovery: undone: pin 2 servers and tools.']);
		await undoLast({ undo });
		expect(messages.at(-1)).toBe('Discovery: nothing to undo.');
	});

	test('when a pinned tool that the chat has loaded, too, is deferred, then it is gone from both, and Undo restores both', async () => {
		const { run, loaded, text, undo, toolNode, ...window } = await openWindow();
		const services = { ...window, undo };
		await run(loadTools(services, [toolNode('files', 'read')]));
		await run(pin(services, [toolNode('files', 'read')]));
		const pinned = text();
		expect(await run(defer(services, [toolNode('files', 'read')]))).toBe('defer files:read');
		expect(loaded()).toEqual([]);
		await undoLast({ undo });
		expect([text(), loaded()]).toEqual([pinned, ['files:read']]);
	});

	test('when the same place of the file has changed since, then Undo says so, keeps it, and the change before can be undone', async () => {
		const { run, loaded, change, text, undo, toolNode, ...window } = await openWindow();
		const services = { ...window, undo };
		await run(loadTools(services, [toolNode('git', 'log')]));
		await run(pin(services, [toolNode('files', 'read')]));
		const theirs = text().replace('"read"', '"write"');
		await change('work', theirs);
		await expect(undoLast({ undo })).rejects.toThrow('“pin files:read” cannot be undone');
		await undoLast({ undo });
		expect([text(), loaded()]).toEqual([theirs, ['files:write']]);
	});

	test('when a tool is loaded where the limit is reached, then the one that goes is named, and Undo brings it back', async () => {
		const { run, loaded, undo, toolNode, ...window } = await openWindow();
		const services = { ...window, undo };
		await run(loadTools(services, [toolNode('files', 'read'), toolNode('files', 'write')]));
		await run(loadTools(services, [toolNode('git', 'log')]));
		expect(loaded()).toEqual(['files:write', 'git:log']);
		expect(messages).toEqual(['Discovery: unloaded files:read to make room.']);
		await undoLast({ undo });
		expect(loaded().toSorted()).toEqual(['files:read', 'files:write']);
		expect(loadTools(services, [toolNode('files', 'read')])).toBeUndefined();
	});
});

describe('given a tool and a server that are to be disabled', () => {
	test('when it is for this workspace only, then the file stays as it is, and enabling asks nothing', async () => {
		const { run, serverNode, toolNode, sessions, text, ...window } = await openWindow();
		const [read, git] = [toolNode('files', 'read'), serverNode('git')];
		answers.push('$(folder) In This Workspace Only');
		expect(await run(switchOnOrOff(window, 'disable', [read, git]))).toBe('disable 2 servers and tools');
		expect(text()).toBe(TEXT);
		const searchable = () => [...(sessions.current?.discovery.surface.tools ?? [])].map(({ id }) => id);
		expect(searchable()).toEqual(['files:write', 'files:list']);
		await run(switchOnOrOff(window, 'enable', [read, git]));
		expect(searchable()).toHaveLength(5);
		expect(questions).toHaveLength(1);
	});

	test('when it is for everyone, then it is in the file, and Undo restores the file and the chat', async () => {
		const { run, serverNode, undo, text, ...window } = await openWindow();
		answers.push('$(json) In casual_mcp_config.json');
		await run(switchOnOrOff(window, 'disable', [serverNode('git')]));
		expect(JSON.parse(text().replace(/\/\/.*/, '')).servers.git.disabled).toBe(true);
		expect(messages).toEqual(['Discovery: git is disabled.']);
		await undoLast({ undo });
		expect(text()).toBe(TEXT);
	});

	test('when the question is closed, then nothing changes', async () => {
		const { run, serverNode, switches, text, ...window } = await openWindow();
		expect(await run(switchOnOrOff({ ...window, switches }, 'disable', [serverNode('git')]))).toBeUndefined();
		expect([text(), switches.get({ server: 'git' }), messages]).toEqual([TEXT, undefined, []]);
	});
});
