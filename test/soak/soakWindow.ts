import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BoundedFolder } from '../../src/chat/boundedFolder.ts';
import { followHistory, type PastTurn } from '../../src/chat/chatHistory.ts';
import type { LoopEnd, LoopEvent } from '../../src/chat/loopEvent.ts';
import { ChatResults, readResultTool } from '../../src/chat/results/chatResults.ts';
import { ReadTexts } from '../../src/chat/results/readTexts.ts';
import { argumentCheck } from '../../src/chat/runCall.ts';
import { type ChatSession, ChatSessions } from '../../src/chat/sessions.ts';
import { defaultSystemPrompt } from '../../src/chat/systemPrompt.ts';
import { runToolLoop } from '../../src/chat/toolLoop.ts';
import type { ServerLaunch } from '../../src/config/servers/launch.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	placement,
} from '../../src/discovery/catalog/policy.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { openPool } from '../servers/openPool.ts';

/** Bytes from which on a result becomes a file. */
const largeResultBytes = 8 * 1024;
/** Waits that a soak would only spend waiting. */
const limits = {
	restartDelaysMs: [50, 100, 200],
	listChangedQuietMs: 20,
	listChangedIntervalMs: 50,
};

/** Every server is deferred. */
function policyFor(servers: Iterable<string>): DiscoveryPolicy {
	const deferred = { ...defaultServerPolicy, deferLoading: true };
	return {
		...defaultPolicy,
		enabled: true,
		servers: new Map([...servers].map((name) => [name, deferred])),
	};
}

function source(path: string): string {
	return fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
}

interface Chat {
	readonly session: ChatSession;
	readonly history: PastTurn[];
	readonly results: ChatResults;
}

/** Calls of tools, by how they came out. */
export interface CallCounts {
	readonly calls: number;
	readonly errors: number;
}

/** What a window of the extension joins, without the editor: servers, catalog, chats, the sandbox and files of results. */
export class SoakWindow implements AsyncDisposable {
	readonly pool: ServerPool;
	readonly #sessions = new ChatSessions();
	readonly #sandbox = new Sandbox(source('sandbox/worker.ts'));
	readonly #results: BoundedFolder;
	readonly #reads = new ReadTexts();
	#chat: Chat;
	#calls = 0;
	#errors = 0;

	static async open(folder: string): Promise<SoakWindow> {
		const reaperScript = source('mcp/stdio/reaper.ts');
		return new SoakWindow(folder, await openPool(join(folder, 'catalog'), { reaperScript, limits }));
	}

	private constructor(folder: string, pool: ServerPool) {
		this.#results = new BoundedFolder(join(folder, 'results'));
		this.pool = pool;
		this.pool.onDidChange(() => this.#sessions.setCatalog(this.pool.catalogServers()));
		this.#chat = this.#openChat();
	}

	get counts(): CallCounts {
		return { calls: this.#calls, errors: this.#errors };
	}

	/** Takes over a configuration, as when its file is saved. */
	configure(launches: ReadonlyMap<string, ServerLaunch>): void {
		const policy = policyFor(launches.keys());
		this.#sessions.setPolicy(policy, new Map());
		this.pool.setLaunches(launches, {
			eager: (tools) => tools.some((tool) => placement(tool, policy) !== 'deferred'),
		});
	}

	/** Begins another chat; the one before is kept as VS Code keeps it. */
	newChat(): void {
		this.#sessions.endAnswer(this.#chat.session);
		this.#chat = this.#openChat();
	}

	/** A turn of the chat to its end; aborting `stop` is what the Stop button does. */
	async say(
		prompt: string,
		model: ChatModel,
		stop = new AbortController(),
		onEvent: (event: LoopEvent) => void = () => {},
	): Promise<LoopEnd['reason']> {
		const { session, history, results } = this.#chat;
		const { discovery } = session;
		followHistory(discovery, history);
		let answer = '';
		let end: LoopEnd = { reason: 'cancelled' };
		const loop = runToolLoop({
			model,
			session: discovery,
			runTool: (tool, { input }, { signal, onProgress }) =>
				this.pool.callTool(tool.server, tool.name, input, {
					signal,
					onProgress: ({ progress }) => onProgress(String(progress)),
				}),
			checkArguments: argumentCheck(this.#sandbox),
			resultFormat: 'result',
			system: defaultSystemPrompt,
			message: { role: 'user', text: prompt },
			signal: stop.signal,
			reads: { texts: this.#reads, chat: session.id },
			fitResult: (result, listing) => results.fit(result, largeResultBytes, listing),
			hosted: [readResultTool(results)],
		});
		for await (const event of loop) {
			if (event.type === 'text') answer += event.text;
			if (event.type === 'toolFinished' || event.type === 'searchFinished') this.#calls += 1;
			if (event.type === 'toolFinished' && event.result.isError) this.#errors += 1;
			if (event.type === 'end') end = event;
			onEvent(event);
		}
		history.push({ prompt, answer });
		return end.reason;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#sandbox.dispose();
		await this.pool.dispose();
	}

	#openChat(): Chat {
		return {
			session: this.#sessions.open(undefined),
			history: [],
			results: new ChatResults(this.#results),
		};
	}
}
