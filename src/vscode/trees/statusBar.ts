import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { Configuration } from '../core/configuration.ts';
import { commands, ids } from '../ui/ids.ts';
import { type StatusLabel, statusLabel } from '../ui/statusLabels.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';

/** Higher than the priority of VS Code's own items on the right, so our item is to the left of them. */
const priority = 100;

/** Shows how many tools the last used chat has loaded and what that saves. A click opens the context page. */
export class StatusBar implements vscode.Disposable {
	readonly #services: { readonly sessions: ChatSessions; readonly configFile: Configuration };
	readonly #item: vscode.StatusBarItem;
	readonly #throttle = new Throttle(() => this.#redraw(), redrawEveryMs);
	readonly #subscriptions: readonly { dispose(): void }[];
	#label: StatusLabel | undefined;

	constructor(services: { readonly sessions: ChatSessions; readonly configFile: Configuration }) {
		const { sessions, configFile } = services;
		this.#services = services;
		this.#item = vscode.window.createStatusBarItem(
			ids.statusBarItem,
			vscode.StatusBarAlignment.Right,
			priority,
		);
		this.#item.name = l10n.t('Discovery');
		this.#item.command = commands.showContext;
		const changed = () => this.#throttle.request();
		this.#subscriptions = [
			this.#item,
			this.#throttle,
			sessions.onDidChange(changed),
			configFile.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#redraw(): void {
		const words = this.#words();
		// Setting a property sends a message to the window, even if the value is the same.
		if (isDeepStrictEqual(words, this.#label)) return;
		this.#label = words;
		if (!words) {
			this.#item.hide();
			return;
		}
		this.#item.text = words.text;
		this.#item.tooltip = words.tooltip;
		this.#item.accessibilityInformation = { label: words.accessibleLabel };
		this.#item.show();
	}

	/** Nothing where no configuration is in force. */
	#words(): StatusLabel | undefined {
		if (!this.#services.configFile.inForce) return undefined;
		return statusLabel(this.#services.sessions.currentSurface, this.#services.sessions.current?.discovery);
	}
}
