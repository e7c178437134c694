import { defined, isRecord, type JsonRecord, recordOf } from '../../common/json.ts';
import { membersOf } from '../../common/jsonSchema.ts';
import { cut, sentence } from '../../common/text.ts';
import { matchesTemplate } from '../../common/uriTemplate.ts';
import { contentOf, toToolResult } from '../callResult.ts';
import { followPages } from '../listing/pages.ts';
import { plainBase64, textOfBytes } from '../resourceBytes.ts';
import { ServerError } from '../serverError.ts';
import type { CallOptions, ConnectOptions } from './connectOptions.ts';
import type {
	CompletionRequest,
	Offers,
	Prompt,
	PromptArgument,
	PromptList,
	PromptMessages,
	Resource,
	ResourceContents,
	ResourceList,
	ResourceTemplate,
} from './offerTypes.ts';

/** Longest texts to keep, in characters. An entry with a longer address or name cannot be used, and is dropped. */
const maxUriCharacters = 8_192;
const maxNameCharacters = 1_024;
const maxTextCharacters = 4_096;
const maxArguments = 100;
const maxCompletions = 100;
const maxMessages = 1_000;

/** Lists other than tools, by the member that holds them in a page. */
type OfferList = 'resources' | 'resourceTemplates' | 'prompts';

/** Asks the server of one connection. */
export interface ServerRequests {
	/** What the server declares. */
	readonly offers: Offers;
	/** One page of a list, without secrets in its texts. Nothing is known of it except that it is an object. */
	page(method: string, cursor: string | undefined, signal: AbortSignal): Promise<JsonRecord>;
	/** Makes a call; resolves to what `read` makes of the result, without secrets. `label`: what is called, at the beginning of a sentence. */
	call<T>(
		label: string,
		method: string,
		params: JsonRecord,
		options: CallOptions,
		read: (result: JsonRecord) => T,
	): Promise<T>;
}

/** What the server of one connection has besides tools. Rejects like the connection does. */
export class ServerFeatures {
	readonly #options: Pick<ConnectOptions, 'server' | 'linkedUris' | 'limits'>;
	readonly #requests: ServerRequests;
	/** As listed last. */
	#listed: ResourceList | undefined;

	constructor(options: Pick<ConnectOptions, 'server' | 'linkedUris' | 'limits'>, requests: ServerRequests) {
		this.#options = options;
		this.#requests = requests;
	}

	/** Empty if the server has none. */
	async resources(signal: AbortSignal): Promise<ResourceList> {
		if (!this.#requests.offers.resources) return { resources: [], templates: [] };
		const [resources, templates] = await Promise.all([
			this.#list('resources', signal),
			// Servers with resources but no templates may not know the request.
			this.#list('resourceTemplates', signal).catch((error: unknown) => {
				if (error instanceof ServerError && error.reason === 'request-refused') return noEntries;
				throw error;
			}),
		]);
		this.#listed = {
			resources: resources.entries.flatMap(readResource),
			templates: templates.entries.flatMap(readTemplate),
			...defined({ cutShort: resources.cutShort ?? templates.cutShort }),
		};
		return this.#listed;
	}

	/** Empty if the server has none. */
	async prompts(signal: AbortSignal): Promise<PromptList> {
		if (!this.#requests.offers.prompts) return { prompts: [] };
		const { entries, cutShort } = await this.#list('prompts', signal);
		return { prompts: entries.flatMap(readPrompt), ...defined({ cutShort }) };
	}

	/** Reads an address that the server has listed, linked to, or has a template for; no other address. */
	async readResource(uri: string, options: CallOptions): Promise<readonly ResourceContents[]> {
		const { server, linkedUris } = this.#options;
		const { signal = new AbortController().signal } = options;
		const isKnown =
			linkedUris.has(uri) || isListed(uri, this.#listed) || isListed(uri, await this.resources(signal));
		if (!isKnown) throw unknownAddressError(server, uri);
		const label = sentence`Resource "${uri}"`;
		return this.#requests.call(label, 'resources/read', { uri }, options, (result) =>
			resourceContents(result, uri),
		);
	}

	async getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		options: CallOptions,
	): Promise<PromptMessages> {
		const params = { name, arguments: { ...args } };
		return this.#requests.call(sentence`Prompt "${name}"`, 'prompts/get', params, options, promptMessages);
	}

	/** Suggestions for an argument; empty if the server offers none. */
	async complete(
		{ of, argument, value, others }: CompletionRequest,
		options: CallOptions,
	): Promise<readonly string[]> {
		if (!this.#requests.offers.completions) return [];
		const ref =
			'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template };
		const context = Object.keys(others).length > 0 ? { context: { arguments: { ...others } } } : {};
		const params = { ref, argument: { name: argument, value }, ...context };
		const label = sentence`The completion of "${argument}"`;
		return this.#requests.call(label, 'completion/complete', params, options, completions);
	}

	async #list(list: OfferList, signal: AbortSignal): Promise<ListedEntries> {
		const { listPages, offersPerServer } = this.#options.limits;
		const method = list === 'resourceTemplates' ? 'resources/templates/list' : `${list}/list`;
		const entries: unknown[] = [];
		const { cutShort } = await followPages(listPages, async (cursor) => {
			const { nextCursor, [list]: some } = await this.#requests.page(method, cursor, signal);
			for (const entry of Array.isArray(some) ? some : []) entries.push(entry);
			return { nextCursor, isFull: entries.length > offersPerServer };
		});
		const isCut = entries.length > offersPerServer;
		return {
			entries: entries.slice(0, offersPerServer),
			...defined({ cutShort: isCut ? `only the first ${offersPerServer} are taken` : cutShort }),
		};
	}
}

interface ListedEntries {
	readonly entries: readonly unknown[];
	readonly cutShort?: string;
}

const noEntries: ListedEntries = { entries: [] };

function isListed(uri: string, listed: ResourceList | undefined): boolean {
	const { resources = [], templates = [] } = listed ?? {};
	return (
		resources.some((resource) => resource.uri === uri) ||
		templates.some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri))
	);
}

/** The given members of an entry that are strings. */
function textsOf<Name extends string>(
	entry: JsonRecord,
	...names: readonly Name[]
): { [name in Name]?: string } {
	const texts: { [name in Name]?: string } = {};
	for (const name of names) {
		const value = entry[name];
		if (typeof value === 'string') texts[name] = cut(value, maxTextCharacters);
	}
	return texts;
}

function isTextWithin(text: unknown, limit: number): text is string {
	return typeof text === 'string' && text !== '' && text.length <= limit;
}

function readResource(entry: unknown): readonly Resource[] {
	if (!isRecord(entry) || !isTextWithin(entry.uri, maxUriCharacters)) return [];
	const { uri, size } = entry;
	const name = typeof entry.name === 'string' ? cut(entry.name, maxNameCharacters) : uri;
	const about = textsOf(entry, 'title', 'description', 'mimeType');
	return [{ uri, name, ...about, ...(typeof size === 'number' ? { size } : {}) }];
}

function readTemplate(entry: unknown): readonly ResourceTemplate[] {
	if (!isRecord(entry) || !isTextWithin(entry.uriTemplate, maxUriCharacters)) return [];
	const { uriTemplate } = entry;
	const name = typeof entry.name === 'string' ? cut(entry.name, maxNameCharacters) : uriTemplate;
	return [{ uriTemplate, name, ...textsOf(entry, 'title', 'description', 'mimeType') }];
}

function readPrompt(entry: unknown): readonly Prompt[] {
	if (!isRecord(entry) || !isTextWithin(entry.name, maxNameCharacters)) return [];
	const { arguments: args } = entry;
	// Some servers write them as the input schema of a tool.
	const listed = isRecord(args) ? membersOf(args).map(({ schema, ...own }) => ({ ...schema, ...own })) : args;
	const readArgument = (one: unknown): readonly PromptArgument[] =>
		isRecord(one) && isTextWithin(one.name, maxNameCharacters)
			? [{ name: one.name, ...textsOf(one, 'title', 'description'), required: one.required === true }]
			: [];
	return [
		{
			name: entry.name,
			...textsOf(entry, 'title', 'description'),
			arguments: [listed ?? []].flat().slice(0, maxArguments).flatMap(readArgument),
		},
	];
}

/** What was read. Servers also send parts of their own, or what a tool would: whatever a result contains is shown. `asked`: for parts without an address. */
function resourceContents(result: JsonRecord, asked: string): readonly ResourceContents[] {
	const parts: readonly unknown[] = [result.contents ?? toToolResult(result).content].flat();
	return parts.map((part) => {
		const resource = recordOf(part);
		const { uri = asked, mimeType: _type, _meta, ...said } = resource;
		const { text, blob } = said;
		const about = { uri: cut(String(uri), maxUriCharacters), ...textsOf(resource, 'mimeType') };
		if (typeof blob === 'string' && !text) {
			const read = textOfBytes(blob, about.mimeType);
			return read === undefined ? { ...about, blob: plainBase64(blob) } : { ...about, text: read };
		}
		// Go leaves out the text of an empty file.
		if (isRecord(part) && Object.keys(said).length === 0) return { ...about, text: '' };
		const content = contentOf('text' in resource ? { type: 'resource', resource } : part);
		return content.type === 'text'
			? { ...about, text: content.text }
			: { ...about, mimeType: content.mimeType, blob: content.data };
	});
}

function promptMessages(result: JsonRecord): PromptMessages {
	const messages: readonly unknown[] = [result.messages ?? toToolResult(result).content].flat();
	return {
		...textsOf(result, 'description'),
		messages: messages.slice(0, maxMessages).map((message) => {
			const { role, content = message } = recordOf(message);
			return {
				role: role === 'assistant' ? 'assistant' : 'user',
				content: [content].flat().map(contentOf),
			};
		}),
	};
}

function completions(result: JsonRecord): readonly string[] {
	const { values } = isRecord(result.completion) ? result.completion : {};
	const texts = Array.isArray(values) ? values.filter((value) => isTextWithin(value, maxTextCharacters)) : [];
	return texts.slice(0, maxCompletions);
}

/** Linked addresses to keep. */
const maxLinkedUris = 5_000;

/** Remembers the addresses that a tool's result links to; the oldest are forgotten. */
export function noteLinks(linked: Set<string>, result: JsonRecord): void {
	for (const part of Array.isArray(result.content) ? result.content : []) {
		if (!isRecord(part)) continue;
		const link = part.type === 'resource_link' ? part : part.type === 'resource' ? part.resource : undefined;
		if (!isRecord(link) || !isTextWithin(link.uri, maxUriCharacters)) continue;
		linked.delete(link.uri);
		linked.add(link.uri);
	}
	for (const oldest of linked) {
		if (linked.size <= maxLinkedUris) break;
		linked.delete(oldest);
	}
}

function unknownAddressError(server: string, uri: string): ServerError {
	return new ServerError(
		server,
		'address-unknown',
		sentence`"${uri}" was not read: server "${server}" has not listed or linked to this URI, and has no template for it.`,
	);
}
