import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import { isRecord } from '../../common/json.ts';
import type { Step } from '../../common/steps.ts';
import {
	type Disabled,
	type DiscoveryPolicy,
	isServerDisabled,
	type ServerPolicy,
} from '../../discovery/catalog/policy.ts';

/** A server, or one of its tools. */
export interface SwitchTarget {
	readonly server: string;
	readonly tool?: string;
}

const switchesKey = 'disabled';

/**
 * What the user has disabled or enabled in this workspace only; overrides the configuration. Stored by the extension, so it affects nobody else
 * who uses the configuration.
 */
export class Switches {
	readonly #memento: Memento;
	/** By the key of {@link keyOf}. */
	readonly #disabled: Map<string, boolean>;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	constructor(memento: Memento) {
		this.#memento = memento;
		const stored: unknown = memento.get(switchesKey);
		const entries = isRecord(stored) ? Object.entries(stored) : [];
		this.#disabled = new Map(
			entries.filter((entry): entry is [string, boolean] => isKey(entry[0]) && typeof entry[1] === 'boolean'),
		);
	}

	/** `undefined`: as the configuration says. */
	get(switched: SwitchTarget): boolean | undefined {
		return this.#disabled.get(keyOf(switched));
	}

	/** `undefined`: as the configuration says. */
	changing(changes: readonly (readonly [SwitchTarget, disabled: boolean | undefined])[]): Step {
		const take = async () => {
			const previousStates = changes.map(([switched]) => [switched, this.get(switched)] as const);
			// Before it is on disk, so that a disabled server stops at once.
			this.#set(changes);
			const stored = this.#disabled.size > 0 ? Object.fromEntries(this.#disabled) : undefined;
			try {
				await this.#memento.update(switchesKey, stored);
			} catch (error) {
				this.#set(previousStates);
				throw error;
			}
			return this.changing(previousStates);
		};
		return { take };
	}

	#set(changes: readonly (readonly [SwitchTarget, disabled: boolean | undefined])[]): void {
		for (const [switched, disabled] of changes) {
			if (disabled === undefined) this.#disabled.delete(keyOf(switched));
			else this.#disabled.set(keyOf(switched), disabled);
		}
		this.#changed.fire();
	}

	/** The policy in this workspace. */
	appliedTo<Policy extends Pick<DiscoveryPolicy, 'servers'>>(policy: Policy): Policy {
		if (this.#disabled.size === 0) return policy;
		const servers = new Map(policy.servers);
		for (const [key, isDisabled] of this.#disabled) {
			const [server, tool] = JSON.parse(key) as [string, string?];
			const serverPolicy = servers.get(server);
			if (!serverPolicy || serverPolicy.isOfEditor) continue;
			const disabled: Disabled = isDisabled && 'workspace';
			const changed =
				tool === undefined ? { ...serverPolicy, disabled } : withTool(serverPolicy, tool, disabled);
			servers.set(server, changed);
		}
		return { ...policy, servers };
	}

	isServerDisabled(server: string, policy: Pick<DiscoveryPolicy, 'servers'>): boolean {
		const isDisabled = this.get({ server });
		return isDisabled ?? isServerDisabled(server, policy);
	}
}

function withTool({ tools, ...server }: ServerPolicy, name: string, disabled: Disabled): ServerPolicy {
	return { ...server, tools: new Map([...tools, [name, { ...tools.get(name), disabled }]]) };
}

function isKey(text: string): boolean {
	try {
		const names: unknown = JSON.parse(text);
		return Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string');
	} catch {
		return false;
	}
}

function keyOf({ server, tool }: SwitchTarget): string {
	return JSON.stringify(tool === undefined ? [server] : [server, tool]);
}
