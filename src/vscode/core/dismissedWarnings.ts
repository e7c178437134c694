import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import type { FileProblem } from '../ui/nodes.ts';

const dismissedKey = 'dismissedWarnings';
/** Most warnings that are remembered, the newest. */
const maxDismissed = 500;

/** Warnings that the user has dismissed from the Servers view of this workspace. The file stays marked. */
export class DismissedWarnings {
	readonly #memento: Memento;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	#keys: readonly string[];

	constructor(memento: Memento) {
		this.#memento = memento;
		const stored: unknown = memento.get(dismissedKey);
		this.#keys = Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
	}

	has(problem: FileProblem): boolean {
		return problem.severity === 'warning' && this.#keys.includes(keyOf(problem));
	}

	async dismiss(problems: readonly FileProblem[]): Promise<void> {
		await this.#set([...new Set([...this.#keys, ...problems.map(keyOf)])].slice(-maxDismissed));
	}

	async restore(problems: readonly FileProblem[]): Promise<void> {
		const restored = new Set(problems.map(keyOf));
		await this.#set(this.#keys.filter((key) => !restored.has(key)));
	}

	dispose(): void {
		this.#changed.dispose();
	}

	async #set(keys: readonly string[]): Promise<void> {
		await this.#memento.update(dismissedKey, keys);
		this.#keys = keys;
		this.#changed.fire();
	}
}

function keyOf({ uri, path, message }: FileProblem): string {
	return JSON.stringify([uri.toString(), path, message]);
}
