import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
	Catalog,
	type CatalogServer,
	DiscoverySession,
	defaultPolicy,
	defaultServerPolicy,
	type ToolDefinition,
	ToolSurface,
} from '../../src/discovery/index.ts';
import { type Benchmark, type Figures, NO_DATA } from '../benchmark.ts';
import { joinServers } from '../corpus.ts';
import { count, percent } from '../report.ts';
import { scaleTo } from '../scale.ts';

const LARGE = { name: '10k', tools: 10_000 };

/** Tokens of tool definitions in a chat's first request: everything deferred, and everything loaded. */
export const firstCall: Benchmark = {
	name: 'firstCall',
	title: 'Tool definitions in the first call (o200k tokens)',
	async measure(data) {
		if (!data) return NO_DATA;
		const large = { name: LARGE.name, servers: scaleTo(joinServers(data.corpora), LARGE.tools) };
		const costs = [...data.corpora, large].map(({ name, servers }) => ({ name, ...costOf(servers) }));
		return {
			kind: 'measured',
			figures: Object.assign({}, ...costs.map(figuresOf)),
			tables: [
				{
					columns: ['tools of', 'servers', 'tools', 'without discovery', 'with', 'saving'],
					rows: costs.map((cost) => [
						cost.name,
						...[cost.servers, cost.tools, cost.without, cost.tokens].map(count),
						percent(1 - cost.tokens / cost.without),
					]),
				},
			],
			notes: ['Tokens of {name, description, parameters} as JSON, summed over the tools that are sent.'],
		};
	},
};

interface Cost {
	readonly servers: number;
	readonly tools: number;
	readonly without: number;
	/** With everything deferred. */
	readonly tokens: number;
	/** The part of `search_tools`. */
	readonly searchTools: number;
}

function figuresOf({ name, without, tokens, searchTools }: Cost & { readonly name: string }): Figures {
	return {
		[`firstCall.${name}.without`]: without,
		[`firstCall.${name}.tokens`]: tokens,
		[`firstCall.${name}.saving`]: 1 - tokens / without,
		[`firstCall.${name}.searchTools`]: searchTools,
	};
}

function costOf(servers: readonly CatalogServer[]): Cost {
	const catalog = new Catalog(servers, 1);
	const definitions = (enabled: boolean): readonly ToolDefinition[] => {
		const named = new Map(servers.map((server) => [server.name, defaultServerPolicy]));
		const policy = { ...defaultPolicy, enabled, deferAll: true, servers: named };
		return new DiscoverySession(new ToolSurface(catalog, policy)).nextHead.tools;
	};
	const deferred = definitions(true);
	return {
		servers: servers.length,
		tools: catalog.tools.length,
		without: sum(definitions(false)),
		tokens: sum(deferred),
		searchTools: sum(deferred.filter((definition) => definition.name === 'search_tools')),
	};
}

function sum(definitions: readonly ToolDefinition[]): number {
	return definitions.reduce((total, definition) => total + tokensOf(definition), 0);
}

function tokensOf({ name, description, inputSchema }: ToolDefinition): number {
	const sent = JSON.stringify({ name, description, parameters: inputSchema });
	// Definitions are data: text that looks like a special token counts as text.
	return countTokens(sent, { disallowedSpecial: new Set() });
}
