import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSystemPrompt } from '../../src/chat/systemPrompt.ts';
import { runToolLoop } from '../../src/chat/toolLoop.ts';
import { systemClock } from '../../src/common/clock.ts';
import type { Config } from '../../src/config/config.ts';
import type { AnswerPart } from '../../src/discovery/catalog/message.ts';
import {
	Catalog,
	DiscoverySession,
	errorResult,
	placement,
	type Tool,
	ToolSurface,
} from '../../src/discovery/index.ts';
import { defaultLimits } from '../../src/mcp/limits.ts';
import { CatalogStore } from '../../src/mcp/listing/catalogStore.ts';
import { ListingWait } from '../../src/mcp/listing/listingWait.ts';
import { ServerPool } from '../../src/mcp/serverPool.ts';
import type { ChatModel, ChatRequest } from '../../src/models/chatModel.ts';
import type { FirstRequest, StartOptions } from './startOptions.ts';

/** Long enough for any server that can list its tools at all. */
const ALL_LISTED_MS = 60_000;

/**
 * Starts what `activate()` starts for a workspace, sends the first message at once, and measures the time until the model is
 * called. With `everyServer`, it works like clients without discovery: it first starts and lists all servers, and sends all
 * tools.
 */
export async function firstRequest(options: StartOptions): Promise<FirstRequest> {
	const started = performance.now();
	const config = await readConfig(options.workspace);
	const pool = new ServerPool({
		reaperScript: options.reaperScript,
		store: await CatalogStore.open(options.storage, defaultLimits, systemClock),
		client: { name: 'mcp-discovery', version: '0.0.0' },
		toolCacheTtlSeconds: config.toolCacheTtlSeconds,
	});
	try {
		startServers(pool, config, options);
		await serversListed(pool, options);
		const policy = { ...config.policy, enabled: !options.everyServer && config.policy.enabled !== false };
		const surface = new ToolSurface(new Catalog(pool.catalogServers(), 1), policy);
		const request = await requestOf(new DiscoverySession(surface));
		const ms = performance.now() - started;
		return { ms, ...countServers(pool), toolsSent: request.tools.length, toolsKnown: surface.tools.length };
	} finally {
		await pool.dispose();
	}
}

/** The schema library is loaded for it, as in the extension. */
async function readConfig(workspace: string): Promise<Config> {
	const { loadConfig } = await import('../../src/config/load.ts');
	const file = path.join(workspace, 'casual_mcp_config.json');
	const text = readFileSync(file, 'utf8');
	const { config } = loadConfig(text, { file, workspaceFolder: workspace, env: process.env });
	if (!config) throw new Error(`The configuration of ${workspace} cannot be read`);
	return config;
}

function startServers(pool: ServerPool, config: Config, { everyServer }: StartOptions): void {
	const eager = (tools: readonly Tool[]): boolean =>
		everyServer || tools.some((tool) => placement(tool, config.policy) !== 'deferred');
	pool.setLaunches(config.launches, { eager, toolCacheTtlSeconds: config.toolCacheTtlSeconds });
}

async function serversListed(pool: ServerPool, { everyServer }: StartOptions): Promise<void> {
	if (everyServer) {
		const names = pool.servers().map(({ name }) => name);
		await pool.whenReady(names, { timeoutMs: ALL_LISTED_MS });
	} else {
		await new ListingWait(pool).wait(() => {}, new AbortController().signal);
	}
}

async function requestOf(session: DiscoverySession): Promise<ChatRequest> {
	const model = new RecordingModel();
	const loop = runToolLoop({
		model,
		session,
		runTool: async () => errorResult('No tool is run here.'),
		checkArguments: async () => ({ faults: [], concerns: [] }),
		resultFormat: 'result',
		system: defaultSystemPrompt,
		message: { role: 'user', text: 'Hello' },
		signal: new AbortController().signal,
	});
	for await (const event of loop) {
		if (event.type === 'end' && event.reason !== 'answered')
			throw new Error(`The turn ended: ${event.reason}`);
	}
	if (!model.request) throw new Error('The model was not called');
	return model.request;
}

/** Answers at once, and records its requests. */
class RecordingModel implements ChatModel {
	readonly id = 'recording';
	readonly name = 'Recording';
	readonly maxTools = undefined;
	readonly maxInputTokens = undefined;
	readonly loadings = ['append'] as const;
	request: ChatRequest | undefined;

	async answer(request: ChatRequest): Promise<readonly AnswerPart[]> {
		this.request = request;
		return [{ type: 'text', text: 'Hello' }];
	}
}

function countServers(pool: ServerPool): { serversUp: number; servers: number } {
	const servers = pool.servers();
	const up = servers.filter(({ state }) => state.kind === 'ready' || state.kind === 'starting');
	return { serversUp: up.length, servers: servers.length };
}
