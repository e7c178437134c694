import { followHistory, type PastTurn } from '../../../src/chat/chatHistory.ts';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { type ChatSession, ChatSessions, type SavedChat } from '../../../src/chat/sessions.ts';
import { systemClock } from '../../../src/common/clock.ts';
import type { Config } from '../../../src/config/config.ts';
import { placement } from '../../../src/discovery/catalog/policy.ts';
import type { Tool } from '../../../src/discovery/catalog/tool.ts';
import type { LogEntry } from '../../../src/discovery/session/logEntry.ts';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { CatalogStore } from '../../../src/mcp/listing/catalogStore.ts';
import { ServerPool } from '../../../src/mcp/serverPool.ts';
import { reaperScript } from '../../servers/poolFixture.ts';
import { turn } from '../../unit/chat/conversation.ts';
import { providers, type ScriptedProvider, type ScriptedRound } from '../providers/providers.ts';
import type { Fleet } from './fleet.ts';

/** A request as OpenAI's chat completions have it. */
export interface SentBody {
	readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
	readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A turn of the chat: what happened, and each request with the round that answered it. */
export interface PlayedTurn {
	readonly events: readonly LoopEvent[];
	readonly rounds: readonly ScriptedRound[];
	readonly requests: readonly SentBody[];
}

/** What an earlier window stored of the chat. */
export interface StoredChat {
	readonly saved: SavedChat;
	readonly log: readonly LogEntry[];
}

/** A window of the editor: everything made from the configuration, the disk and the stored chat, and nothing else. */
export class FleetWindow implements AsyncDisposable {
	readonly pool: ServerPool;
	readonly #sessions = new ChatSessions();
	readonly #chat: ChatSession;
	readonly #provider: ScriptedProvider;
	readonly #rounds: ScriptedRound[];
	readonly #ends: (() => Promise<unknown>)[];

	static async open(fleet: Fleet, config: Config, stored: StoredChat | undefined): Promise<FleetWindow> {
		const rounds: ScriptedRound[] = [];
		const ends: (() => Promise<unknown>)[] = [];
		const start = providers['openai-chat'];
		if (!start) throw new Error('there is no such provider');
		const provider = await start(rounds, (end) => ends.push(end));
		const pool = new ServerPool({
			reaperScript,
			store: await CatalogStore.open(fleet.catalogFolder, defaultLimits, systemClock),
			client: { name: 'test', version: '1.0.0' },
			toolCacheTtlSeconds: config.toolCacheTtlSeconds,
		});
		return new FleetWindow(config, pool, provider, rounds, ends, stored);
	}

	private constructor(
		{ policy, toolsets, launches }: Config,
		pool: ServerPool,
		provider: ScriptedProvider,
		rounds: ScriptedRound[],
		ends: (() => Promise<unknown>)[],
		stored: StoredChat | undefined,
	) {
		this.pool = pool;
		this.#provider = provider;
		this.#rounds = rounds;
		this.#ends = ends;
		const sessions = this.#sessions;
		const follow = () => sessions.setCatalog(pool.catalogServers());
		pool.onDidChange(follow);
		// The model reads what the chat showed, and not what was said.
		if (stored) sessions.open(stored.saved, stored.log).discovery.log.goBack(0);
		sessions.setPolicy(policy, toolsets);
		const eager = (tools: readonly Tool[]) => tools.some((tool) => placement(tool, policy) !== 'deferred');
		pool.setLaunches(launches, { eager });
		follow();
		this.#chat = sessions.open(stored?.saved);
	}

	get stored(): StoredChat {
		const { id, discovery } = this.#chat;
		const { entries, seen } = discovery.log;
		return JSON.parse(JSON.stringify({ saved: { id, answers: seen.answers }, log: entries }));
	}

	/** Loaded tools that exist, in the order in which they came. */
	get activated(): readonly string[] {
		return this.#chat.discovery.activated.map(({ wireName }) => wireName);
	}

	/** Plays a turn to its end; `onEvent` sees each event before the loop goes on. */
	async play(
		prompt: string,
		rounds: readonly ScriptedRound[],
		history: readonly PastTurn[],
		onEvent: () => void,
	): Promise<PlayedTurn> {
		this.#rounds.push(...rounds);
		const before = this.#provider.requests.length;
		followHistory(this.#chat.discovery, history);
		const { events } = await turn(this.#provider.model, {
			session: this.#chat.discovery,
			runTool: (tool, { input }, signal) => this.pool.callTool(tool.server, tool.name, input, { signal }),
			messages: [...this.#chat.discovery.log.messages, { role: 'user', text: prompt }],
			onEvent,
		});
		const requests = this.#provider.requests.slice(before).map(({ body }) => body as SentBody);
		this.#sessions.endAnswer(this.#chat);
		return { events, rounds, requests };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.pool.dispose();
		for (const end of this.#ends.toReversed()) await end();
	}
}
