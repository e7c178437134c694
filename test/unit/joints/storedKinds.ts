import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AnswersInProgress } from '../../../src/chat/answersInProgress.ts';
import { KeptChats } from '../../../src/chat/keptChats.ts';
import { type Clock, systemClock } from '../../../src/common/clock.ts';
import { sha256 } from '../../../src/common/digest.ts';
import type { StdioLaunch } from '../../../src/config/servers/launch.ts';
import { Catalog } from '../../../src/discovery/catalog/catalog.ts';
import { ChatLog } from '../../../src/discovery/session/chatLog.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { AcceptedDefinitions } from '../../../src/mcp/accepted/acceptedDefinitions.ts';
import { approvalHash } from '../../../src/mcp/accepted/launchFacts.ts';
import { defaultAcceptanceLimits, defaultLimits } from '../../../src/mcp/limits.ts';
import { CatalogStore } from '../../../src/mcp/listing/catalogStore.ts';
import { Approvals } from '../../../src/vscode/core/approvals.ts';
import { ExpansionStore } from '../../../src/vscode/core/expansionStore.ts';
import { openTrustFile } from '../../../src/vscode/core/openTrustFile.ts';
import { Permissions } from '../../../src/vscode/core/permissions.ts';
import { storedModelLists } from '../../../src/vscode/core/storedModelLists.ts';

/** A window that uses a stored file, as the product does. Entries have names. */
export interface StoredWindow {
	/** Stores one more entry. Rejects if it cannot be written. */
	keep(name: string): Promise<void>;
	/** Which of these are known. */
	known(names: readonly string[]): Promise<readonly string[]>;
	/** Whether it is certain that there is nothing else; otherwise the file cannot be read now. Absent: nobody depends on it. */
	isCertain?(): boolean;
}

/** A kind of file that the extension stores. */
export interface StoredKind {
	readonly name: string;
	/** In the folder. */
	readonly file: string;
	open(folder: string): Promise<StoredWindow>;
	/** The list of entries in the stored value. */
	entries(value: unknown): unknown[];
	/** Windows merge what they write; otherwise only one of them writes a file. */
	readonly isShared: boolean;
	/** A failed write is reported. */
	readonly isReported: boolean;
}

const launchOf = (name: string): StdioLaunch => ({
	kind: 'stdio',
	command: name,
	args: [],
	env: {},
	cwd: '/',
});
const toolOf = (server: string, name: string, description = 'As it was') => ({
	server,
	name,
	description,
	inputSchema: { type: 'object' },
});

const members = (value: unknown, name: string) => (value as Record<string, unknown[]>)[name] ?? [];

async function trustWindow(folder: string): Promise<StoredWindow> {
	const trust = await openTrustFile(join(folder, 'approvals.json'), { clock: systemClock });
	onTestFinished(() => trust.dispose());
	const approvals = new Approvals(trust);
	const permissions = new Permissions(trust, approvals);
	return {
		async keep(name) {
			const approving = approvals.approve(new Map([[name, launchOf(name)]]), false);
			const tool = { server: name, tool: 'wipe', definition: 'd' };
			const scope = { kind: 'workspace' } as const;
			await Promise.all([approving, permissions.keep({ decision: 'never', ...tool, scope, since: 1 })]);
		},
		async known(names) {
			await trust.load();
			return names.filter((name) => {
				const isForbidden = permissions.rulesOf(name).some(({ decision }) => decision === 'never');
				return approvals.isApproved(name, launchOf(name)) && isForbidden;
			});
		},
		isCertain: () => permissions.isKnown,
	};
}

const acceptedLaunch = launchOf('weather');

/** Tells delayed writes from other timers. */
const limits = { ...defaultAcceptanceLimits, writeDelayMs: 12_345 };

/** Writes nothing by itself: a window that only looks must not write into the folder while it is examined. */
const withoutDelayedWrites: Clock = {
	now: systemClock.now,
	after: (ms, run) => (ms === limits.writeDelayMs ? { dispose: () => {} } : systemClock.after(ms, run)),
};

function acceptedWindow(folder: string): StoredWindow {
	const accepted = new AcceptedDefinitions({
		folder,
		clock: withoutDelayedWrites,
		limits,
		hashOf: approvalHash,
		onProblem: () => {},
	});
	onTestFinished(() => accepted.dispose());
	const list = (names: readonly string[], description?: string) =>
		accepted.use([
			{
				launch: acceptedLaunch,
				server: { name: 'weather', tools: names.map((name) => toolOf('weather', name, description)) },
			},
		]);
	const held = () => accepted.quarantined.get('weather') ?? [];
	return {
		async keep(name) {
			list([name]);
			accepted.accept('weather', held());
			await accepted.flush();
		},
		// What is known is noticed when it changes.
		async known(names) {
			const found = names.filter((name) => {
				list([name], 'Changed');
				return held().some(({ why }) => why === 'changed');
			});
			return found;
		},
	};
}

async function catalogWindow(folder: string): Promise<StoredWindow> {
	const store = await CatalogStore.open(folder, defaultLimits, systemClock);
	onTestFinished(() => store.dispose());
	return {
		keep(name) {
			const server = { name, tools: [toolOf(name, 'get')] };
			const list = { from: 'live', server, dropped: [], cutShort: undefined, listedAt: 1 } as const;
			store.set(launchOf(name), list);
			return store.flush();
		},
		known: async (names) =>
			names.filter((name) => store.get(name, launchOf(name))?.server.tools.length === 1),
	};
}

async function expansionWindow(folder: string): Promise<StoredWindow> {
	const store = new ExpansionStore({ folder, now: () => 1, entryOf: (server) => server });
	onTestFinished(() => store.dispose());
	await store.load();
	const taught = (name: string) => {
		const [tool] = new Catalog([{ name: 'git', tools: [toolOf('git', name)] }], 1).tools;
		if (!tool) throw new Error('a catalog has the tools it was made of');
		return tool;
	};
	return {
		keep: (name) => store.change([[taught(name), { when: `To ${name}.`, queries: [name] }]]),
		async known(names) {
			await store.load();
			return names.filter((name) => store.expansionOf(taught(name))?.when === `To ${name}.`);
		},
	};
}

/** Files that one window at a time writes: it reads them first, and then replaces them. */
function singleWindow<T>(files: {
	read(): Promise<T | undefined>;
	write(value: T | undefined, name: string): Promise<T>;
	names(value: T): readonly string[];
}): StoredWindow {
	let value: T | undefined;
	return {
		async keep(name) {
			value = await files.write(value, name);
		},
		async known(names) {
			value = await files.read();
			const stored = value === undefined ? [] : files.names(value);
			return names.filter((name) => stored.includes(name));
		},
	};
}

function chatWindow(folder: string): StoredWindow {
	const chats = new KeptChats(folder);
	return singleWindow({
		read: async () => {
			const entries = await chats.read('chat');
			return entries && new ChatLog(entries);
		},
		async write(log = new ChatLog(), name) {
			log.append({ kind: 'turn', model: 'm', loading: 'append', prompt: name });
			log.append({ kind: 'message', message: { role: 'user', text: name } });
			await chats.keep({ id: 'chat', discovery: { log } as DiscoverySession });
			return log;
		},
		// Everything that is computed from a log must survive what is odd in it.
		names: (log) => (log.timeline.length + log.usage.requests >= 0 ? log.prompts : []),
	});
}

function underwayWindow(folder: string): StoredWindow {
	const answers = new AnswersInProgress(folder);
	return singleWindow({
		read: () => answers.get('chat'),
		async write(answer = { prompt: 'do it', calls: [] }, name) {
			const more = { ...answer, calls: [...answer.calls, name] };
			await answers.keep('chat', more);
			return more;
		},
		names: ({ calls }) => calls,
	});
}

function modelWindow(folder: string): StoredWindow {
	const files = storedModelLists(folder);
	return singleWindow({
		read: () => files.read('client'),
		async write(list = { listedAt: 1, models: [], learned: [] }, name) {
			const more = { ...list, models: [...list.models, { model: name }] };
			await files.store('client', more);
			return more;
		},
		names: ({ models }) => models.map(({ model }) => model),
	});
}

/** Every kind of file that the extension stores. */
export const storedKinds: readonly StoredKind[] = [
	{
		name: 'approvals and rules',
		file: 'approvals.json',
		open: trustWindow,
		entries: (value) => members(value, 'approvals'),
		isShared: true,
		isReported: true,
	},
	{
		name: 'accepted definitions',
		file: `${sha256(JSON.stringify(['weather', approvalHash(acceptedLaunch)]))}.json`,
		open: async (folder) => acceptedWindow(folder),
		entries: (value) => members(value, 'tools'),
		isShared: true,
		isReported: true,
	},
	{
		name: 'lists of tools',
		file: 'catalog.json',
		open: catalogWindow,
		entries: (value) => value as unknown[],
		isShared: true,
		isReported: true,
	},
	{
		name: 'learned descriptions',
		file: 'expansions.json',
		open: expansionWindow,
		entries: (value) => value as unknown[],
		isShared: true,
		isReported: true,
	},
	{
		name: 'a chat',
		file: 'chat',
		open: async (folder) => chatWindow(folder),
		entries: (value) => value as unknown[],
		isShared: false,
		isReported: true,
	},
	{
		name: 'an answer in progress',
		file: 'underway-chat',
		open: async (folder) => underwayWindow(folder),
		entries: (value) => members(value, 'calls'),
		isShared: false,
		isReported: false,
	},
	{
		name: 'a list of models',
		file: 'client',
		open: async (folder) => modelWindow(folder),
		entries: (value) => members(value, 'models'),
		isShared: false,
		isReported: true,
	},
];
