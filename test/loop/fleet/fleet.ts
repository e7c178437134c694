import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { isNightly } from '../../effort.ts';
import { compileCache, program } from '../../servers/launches.ts';
import { isRunning, readPids } from '../../servers/processes.ts';

/** What each server keeps; the server's name is the plural. */
const allThings = [
	...[
		'invoice',
		'parcel',
		'ticket',
		'recipe',
		'meeting',
		'contract',
		'photo',
		'playlist',
		'booking',
		'backup',
	],
	...['budget', 'campaign', 'vehicle', 'patient', 'sensor', 'museum', 'garden', 'lesson', 'exam', 'survey'],
	...['poem', 'podcast', 'drone', 'container', 'database', 'firewall', 'certificate', 'shipment', 'refund'],
	...['salary', 'visa', 'flight', 'hotel', 'taxi', 'concert', 'stadium', 'league', 'trophy', 'athlete'],
	...['allergy', 'vaccine', 'pharmacy', 'telescope', 'satellite', 'volcano', 'glacier', 'forest', 'harbour'],
	...['bakery', 'brewery', 'library', 'printer', 'scanner', 'router', 'beacon', 'elevator', 'tractor'],
	...['orchard', 'beehive', 'aquarium', 'kennel'],
];

/** Only these servers' tools are asked for. */
export const wantedThings = allThings.slice(0, 30);

/** The other servers only have to stay unused: every day a few are enough. */
export const things = isNightly ? allThings : allThings.slice(0, wantedThings.length + 3);

const verbs = ['create', 'find', 'cancel', 'export'] as const;

/** A tool of the fleet: what it does, and to what. */
export interface FleetTool {
	readonly verb: (typeof verbs)[number];
	readonly thing: string;
}

export function serverOf(thing: string): string {
	return `${thing}s`;
}

/** What a model calls a tool of the fleet. */
export function wireNameOf({ verb, thing }: FleetTool): string {
	return `${serverOf(thing)}__${verb}_${thing}`;
}

/** Servers as processes of their own, each with its tools in a file; what they list is what the file says when they start. */
export class Fleet implements Disposable {
	readonly folder = mkdtempSync(join(tmpdir(), 'mcp-fleet-'));

	constructor() {
		for (const folder of ['tools', 'pids']) mkdirSync(join(this.folder, folder));
		for (const thing of things) this.describe(thing);
	}

	/** The folder of the lists that are kept on disk. */
	get catalogFolder(): string {
		return join(this.folder, 'catalog');
	}

	/** Another release of a server: `field` is one more argument that its tools must have. */
	describe(thing: string, field?: string): void {
		writeFileSync(this.#file('tools', thing), JSON.stringify(toolsOf(thing, field)));
	}

	/** The configuration, but for the servers of `without`. */
	config(without: readonly string[] = []): Config {
		const entry = (thing: string) => ({
			command: process.execPath,
			args: [program('describedServer'), this.#file('tools', thing), this.#file('pids', thing)],
			env: compileCache,
			defer_loading: true,
		});
		const present = things.filter((thing) => !without.includes(thing));
		const servers = Object.fromEntries(present.map((thing) => [serverOf(thing), entry(thing)]));
		const text = JSON.stringify({ servers, tool_discovery: { enabled: true } });
		const { config, problems } = loadConfig(text, { workspaceFolder: this.folder, env: {} });
		if (!config) throw new Error(JSON.stringify(problems));
		return config;
	}

	/** How often each server has been started. */
	starts(): ReadonlyMap<string, number> {
		return new Map(things.map((thing) => [thing, readPids(this.#file('pids', thing)).length]));
	}

	/** Processes of servers that run. */
	running(): number[] {
		return things.flatMap((thing) => readPids(this.#file('pids', thing))).filter(isRunning);
	}

	[Symbol.dispose](): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	#file(folder: string, thing: string): string {
		return join(this.folder, folder, `${thing}.json`);
	}
}

function toolsOf(thing: string, field?: string): object[] {
	return verbs.map((verb, i) => {
		const required = [`${thing}_id`, ...(field === undefined ? [] : [field])];
		const names = [...required, ['note', 'limit', 'reason', 'format'][i] ?? ''];
		return {
			name: `${verb}_${thing}`,
			description: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} one ${thing} among all that the ${thing} office keeps.`,
			inputSchema: {
				type: 'object',
				properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
				required,
			},
		};
	});
}
