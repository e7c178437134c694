import type * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';
import { inOrder, type Step } from '../../common/steps.ts';

/** A secret and the environment variable that servers read it as. */
interface SecretVariable {
	readonly name: string;
	readonly value: string;
}

/** Without a value, the secret is removed. */
interface SecretChange {
	readonly name: string;
	readonly value: string | undefined;
}

/** A workspace folder's address, as `vscode.Uri`. */
type FolderUri = Pick<vscode.Uri, 'toString'>;

type Secrets = Pick<vscode.SecretStorage, 'keys' | 'get' | 'store' | 'delete' | 'onDidChange'>;

/**
 * Secrets that servers read as `${env:NAME}`, in VS Code's secret storage. Each belongs to one workspace folder, so that no other folder's
 * configuration gets it.
 */
export class SecretVariables implements vscode.Disposable {
	readonly #secrets: Secrets;
	readonly #changed = new Emitter<void>();
	/** A secret was stored or removed, perhaps in another window. */
	readonly onDidChange = this.#changed.event;
	readonly #listener: vscode.Disposable;
	/** By folder. Cached because a configuration is checked while its user types. */
	readonly #cached = new Map<string, Promise<Readonly<Record<string, string>>>>();

	constructor(secrets: Secrets) {
		this.#secrets = secrets;
		this.#listener = secrets.onDidChange(({ key }) => {
			if (!key.startsWith(prefix)) return;
			this.#cached.clear();
			this.#changed.fire();
		});
	}

	/** Names of a folder's secrets, sorted. */
	async names(folder: FolderUri): Promise<readonly string[]> {
		const start = secretKey(folder, '');
		const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(start));
		return keys.map((key) => key.slice(start.length)).toSorted();
	}

	/** A folder's secrets by name. */
	values(folder: FolderUri): Promise<Readonly<Record<string, string>>> {
		const id = folder.toString();
		const cached = this.#cached.get(id) ?? this.#read(folder);
		this.#cached.set(id, cached);
		// The next call retries a failed read.
		cached.catch(() => this.#cached.delete(id));
		return cached;
	}

	/** Stores secrets, replacing those of the same name. */
	async store(folder: FolderUri, variables: readonly SecretVariable[]): Promise<void> {
		await this.changing(folder, variables).take();
	}

	async remove(folder: FolderUri, names: readonly string[]): Promise<void> {
		const none = names.map((name) => ({ name, value: undefined }));
		await this.changing(folder, none).take();
	}

	/** Stores secrets, and removes those without a value: all of them or none. */
	changing(folder: FolderUri, variables: readonly SecretChange[]): Step {
		return inOrder(variables.map(({ name, value }) => this.#secret(folder, name, value)));
	}

	dispose(): void {
		this.#listener.dispose();
	}

	async #read(folder: FolderUri): Promise<Readonly<Record<string, string>>> {
		const read = (await this.names(folder)).map(
			async (name) => [name, await this.#secrets.get(secretKey(folder, name))] as const,
		);
		const pairs = await Promise.all(read);
		return Object.fromEntries(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
	}

	#secret(folder: FolderUri, name: string, value: string | undefined): Step {
		const key = secretKey(folder, name);
		const take = async () => {
			const previousValue = await this.#secrets.get(key);
			await (value === undefined ? this.#secrets.delete(key) : this.#secrets.store(key, value));
			this.#cached.clear();
			return this.#secret(folder, name, previousValue);
		};
		return { take };
	}
}

const prefix = 'variable:';

function secretKey(folder: FolderUri, name: string): string {
	return `${prefix}${folder.toString()}:${name}`;
}
