import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { Ban } from '../../mcp/serverError.ts';
import { labelText } from '../ui/labelText.ts';
import type { Configuration } from './configuration.ts';
import { bansBy } from './mcpAccessRules.ts';

const section = 'chat.mcp';

export interface ForbiddenServers {
	readonly count: number;
	/** A sentence for each reason. */
	readonly texts: readonly string[];
	/** The user's own settings are among the reasons. */
	readonly isUsers: boolean;
}

/** Which servers VS Code's own settings, or an administrator's policy, block. */
export class McpAccess implements vscode.Disposable {
	readonly #changed = new Emitter<void>();
	readonly #subscription: vscode.Disposable;
	#banOf = currentBans();
	readonly onDidChange = this.#changed.event;

	constructor() {
		this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
			if (!change.affectsConfiguration(section)) return;
			this.#banOf = currentBans();
			this.#changed.fire();
		});
	}

	ban(server: string, launch: ServerLaunch): Ban | undefined {
		return this.#banOf(server, launch);
	}

	/** The servers of a configuration that it blocks. */
	forbidden({ state }: Configuration): ForbiddenServers {
		const launches = state.kind === 'ok' ? [...state.config.launches] : [];
		const bans = launches.flatMap(([name, launch]) => {
			const ban = this.ban(name, launch);
			return ban ? [{ name: labelText(name), ...ban }] : [];
		});
		const texts = [...Map.groupBy(bans, ({ text }) => text)].map(([text, blocked]) =>
			l10n.t('Not started: {0}. {1}', blocked.map(({ name }) => name).join(', '), text),
		);
		return { count: bans.length, texts, isUsers: bans.some(({ by }) => by === 'settings') };
	}

	dispose(): void {
		this.#subscription.dispose();
	}
}

function currentBans() {
	const settings = vscode.workspace.getConfiguration(section);
	return bansBy((key) => ({ value: settings.get(key), ...settings.inspect(key) }));
}
