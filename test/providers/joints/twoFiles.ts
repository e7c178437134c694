import dns from 'node:dns';
import { onTestFinished, vi } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { type ConfigPart, mergeConfigs } from '../../../src/config/merge.ts';
import type { ClientDefinition } from '../../../src/config/models/clientDefinition.ts';
import { variableIn } from '../../../src/config/secrets/dotenv.ts';
import { KeyStore } from '../../../src/vscode/core/keyStore.ts';
import type { OfferedModel } from '../../../src/vscode/core/modelInformation.ts';
import { ModelLists } from '../../../src/vscode/core/modelLists.ts';
import { ConfiguredModels } from '../../../src/vscode/models/configuredModels.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { answerOf, asking, Loopback, sse } from '../loopback.ts';
import { chunk } from '../openai/chatCompletions/server.ts';

/** A configuration file: of a workspace folder, or the user's own. */
export interface WrittenFile {
	readonly folder?: string;
	readonly content: object;
	/** The `.env` beside it. */
	readonly dotenv?: Readonly<Record<string, string>>;
}

/** The file's address. */
export function fileOf({ folder }: { readonly folder?: string | undefined }): string {
	return folder === undefined ? 'file:///home/ada/config.json' : `file:///work/${folder}/config.json`;
}

type Environment = Readonly<Record<string, string>>;

/** The environment with the `.env` beside a file. */
function environmentOf({ folder, dotenv = {} }: WrittenFile, environment: Environment) {
	const env = { ...dotenv, ...environment };
	if (folder === undefined) return { env };
	return { env, ofWorkspace: Object.keys(dotenv).filter((name) => environment[name] === undefined) };
}

/** Reads the files as the extension does: the user's own first, since a folder's models may use its clients. */
export function merged(files: readonly WrittenFile[], environment: Environment = {}): Config {
	const read = (file: WrittenFile, clients: readonly ClientDefinition[]) => {
		const { folder, content } = file;
		const { config } = loadConfig(JSON.stringify(content), {
			file: fileOf(file),
			...environmentOf(file, environment),
			...(folder === undefined
				? { ofUser: { home: '/home/ada' } }
				: { workspaceFolder: `/work/${folder}`, elsewhere: { servers: [], clients } }),
		});
		if (!config) throw new Error(`${fileOf(file)} cannot be read`);
		return config;
	};
	const users = files.find(({ folder }) => folder === undefined);
	const ofUser = users && read(users, []);
	const parts = files.map((file): ConfigPart<string> => {
		const config = file === users && ofUser ? ofUser : read(file, ofUser?.clients ?? []);
		return { file: fileOf(file), ...(file.folder && { folder: file.folder }), config, off: [] };
	});
	const [first, ...others] = parts;
	if (!first) throw new Error('There is no file.');
	return mergeConfigs([first, ...others]).config;
}

/** What the user answers in this window, and what is stored for them. */
interface Situation {
	/** Variables of the process. */
	readonly environment?: Environment;
	readonly storedKeys?: Readonly<Record<string, string>>;
	/** Whether the user agrees to what they are asked. */
	readonly agrees?: boolean;
}

/** A window with these files: the models that it offers, what it asks the user, and what it sends. */
export class OpenWindow {
	readonly questions: string[] = [];
	readonly keys: KeyStore;
	readonly lists: ModelLists;
	readonly #secrets: Map<string, string>;
	readonly #agreements = new Map<string, unknown>();
	readonly #models: ConfiguredModels;
	readonly #situation: Situation;
	#files: readonly WrittenFile[] = [];

	constructor(situation: Situation = {}) {
		this.#situation = situation;
		this.#secrets = new Map(
			Object.entries(situation.storedKeys ?? {}).map(([url, key]) => [`apiKey:${url}`, key]),
		);
		const ask = (question: string) => {
			this.questions.push(question);
			return situation.agrees ?? false;
		};
		const { environment = {} } = situation;
		this.keys = new KeyStore({
			secrets: {
				get: async (name) => this.#secrets.get(name),
				store: async (name, key) => void this.#secrets.set(name, key),
				delete: async (name) => void this.#secrets.delete(name),
				onDidChange: () => ({ dispose() {} }),
			},
			agreements: {
				get: <T>(name: string) => this.#agreements.get(name) as T,
				update: async (name: string, value: unknown) => void this.#agreements.set(name, value),
			},
			environment: (name, { file }) => {
				const found = this.#files.find((one) => fileOf(one) === file);
				return variableIn(name, found ? environmentOf(found, environment) : { env: environment });
			},
			askForSecret: async (client, { variable, as, isOfWorkspace }) => {
				const from = isOfWorkspace ? ' of its .env' : '';
				return { kind: ask(`${variable}${from} as ${as} to ${placeOf(client)}`) ? 'send' : 'declined' };
			},
			askForChat: async (client, { names }) =>
				ask(`chat${names.length > 0 ? ` with ${names.join()}` : ''} to ${placeOf(client)}`),
			signIn: async () => undefined,
		});
		this.lists = new ModelLists({
			folder: temporaryFolder(),
			keys: this.keys,
			now: Date.now,
			log: { debug() {} },
		});
		onTestFinished(() => this.lists.dispose());
		this.#models = new ConfiguredModels({
			keys: this.keys,
			modelLists: this.lists,
			log: { debug() {} },
		});
	}

	/** The models that are offered with these files. */
	read(...files: readonly WrittenFile[]): readonly OfferedModel[] {
		this.#files = files;
		const config = merged(files, this.#situation.environment);
		return this.#models.update(config.models, config.clientsWithoutModels);
	}

	/** The models after the endpoints of clients without models have listed theirs; the user has agreed to these addresses. */
	async listed(...files: readonly WrittenFile[]): Promise<readonly OfferedModel[]> {
		this.#files = files;
		const { clientsWithoutModels: clients } = merged(files, this.#situation.environment);
		for (const client of clients) await this.keys.mayReceiveChats(client);
		await this.lists.follow({ clients });
		await vi.waitUntil(() => clients.every((client) => this.lists.stateOf(client).listedAt));
		return this.read(...files);
	}

	/** Sends a chat to an offered model; resolves to the error, if it fails. */
	async send(offered: OfferedModel | undefined, text: string): Promise<unknown> {
		if (!offered) throw new Error('The model is not offered.');
		return (await answerOf(await offered.load(), asking(text))).error;
	}
}

/** Whose client it is, and its URL. */
export function placeOf({
	file,
	name,
	baseUrl,
}: Pick<ClientDefinition, 'file' | 'name' | 'baseUrl'>): string {
	return `${baseUrl} (${name} in ${file})`;
}

/** An endpoint that answers every chat, and lists one model. It is reached under any host name that ends in `.test`. */
export async function endpoint(): Promise<Loopback> {
	const answered = (text: string) => `${sse(chunk({ content: text }), chunk({}, 'stop'))}data: [DONE]\n\n`;
	const loopback = await Loopback.routed((path) => [
		(response) => {
			if (path.endsWith('/models')) response.end(JSON.stringify({ data: [{ id: 'listed' }] }));
			else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answered('Hello.'));
		},
	]);
	onTestFinished(() => loopback[Symbol.asyncDispose]());
	return loopback;
}

/** Until the test ends, host names that end in `.test` mean this machine. */
export function withTestHosts(): void {
	const real = dns.lookup;
	const lookup = (host: string, options: object, done: (...answer: unknown[]) => void) => {
		if (!host.endsWith('.test')) return real(host, options, done as never);
		const found = { address: '127.0.0.1', family: 4 };
		if ('all' in options && options.all) done(null, [found]);
		else done(null, found.address, found.family);
	};
	vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
	onTestFinished(() => vi.mocked(dns.lookup).mockRestore());
}
