import type { Edit } from 'jsonc-parser';
import { isRecord } from '../../common/json.ts';
import { defaultBaseUrls, isAzureUrl } from '../../common/providers.ts';
import { ConfigText } from '../file/configText.ts';
import { freeName } from '../file/entryNames.ts';
import { withEntries } from '../file/jsoncText.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { loadConfig } from '../load.ts';
import type { VariableScope } from '../secrets/variables.ts';
import { addressFault, isLoopback } from '../servers/address.ts';
import { addressOf, type ClientDefinition } from './clientDefinition.ts';

/** An endpoint that the user has chosen, as a client that may not exist yet. */
export type ChosenEndpoint = Pick<ClientDefinition, 'name' | 'provider' | 'baseUrl'>;

/** Endpoints to choose by name. */
export const namedEndpoints = {
	openai: { name: 'openai', provider: 'openai', baseUrl: defaultBaseUrls.openai },
	anthropic: { name: 'anthropic', provider: 'anthropic', baseUrl: defaultBaseUrls.anthropic },
	openrouter: { name: 'openrouter', provider: 'openai', baseUrl: 'https://openrouter.ai/api/v1' },
	ollama: { name: 'ollama', provider: 'ollama', baseUrl: defaultBaseUrls.ollama },
} as const satisfies Readonly<Record<string, ChosenEndpoint>>;

/** What a text says about an endpoint. */
export type EndpointReading =
	/** The most likely protocol first. */
	| { readonly kind: 'endpoints'; readonly endpoints: readonly ChosenEndpoint[] }
	/** A sentence that does not repeat the address. */
	| { readonly kind: 'fault'; readonly fault: string }
	/** It is no address. */
	| { readonly kind: 'none' };

/** Paths of requests, which people copy along with the address. */
const requestPath =
	/\/(?:chat\/completions|completions|responses|embeddings|models|v1\/messages|messages|api\/(?:chat|generate|tags|show|version))$/;
/** Ollama's port, and the paths of its own protocol. */
const ollamas = /^[^/]*\/\/[^/]*:11434(?:\/|$)|\/api\/(?:chat|generate|tags|show|version)$/;
/** Anthropic's request, and the path under which others serve its protocol. */
const anthropics = /\/messages$|\/anthropic(?:\/|$)/;

/** Reads an address as people paste it: from a readme, a command with curl, a line of `.env`, or without `https://`. */
export function readEndpoint(text: string): EndpointReading {
	const writtenAddress =
		/https?:\/\/[^\s"'`<>]+/i.exec(text)?.[0].replace(/[),.;]+$/, '') ?? bareAddress(text.trim());
	if (writtenAddress === undefined) return { kind: 'none' };
	const fault = addressFault(writtenAddress, 'provider');
	if (fault !== undefined) return { kind: 'fault', fault };
	const { origin, pathname, hostname } = new URL(writtenAddress);
	const address = origin + pathname.replace(/\/+$/, '');
	const provider = Object.values(namedEndpoints).find(({ baseUrl }) => new URL(baseUrl).origin === origin);
	if (provider) return { kind: 'endpoints', endpoints: [provider] };
	const root = address.replace(requestPath, '');
	const name = isLoopback(origin) ? 'local' : hostname.replace(/^(?:www|api)\./, '');
	const openai = {
		name,
		provider: 'openai',
		baseUrl: root === origin ? origin + apiPath(origin) : root,
	} as const;
	const anthropic = { name, provider: 'anthropic', baseUrl: root.replace(/\/v1$/, '') } as const;
	const ollama = { name: 'ollama', provider: 'ollama', baseUrl: root.replace(/\/(?:v1|api)$/, '') } as const;
	if (ollamas.test(address)) return { kind: 'endpoints', endpoints: [ollama] };
	if (anthropics.test(address)) return { kind: 'endpoints', endpoints: [anthropic] };
	return { kind: 'endpoints', endpoints: isAzureUrl(origin) ? [openai] : [openai, anthropic, ollama] };
}

/** A host without `https://`: this machine's, an IP address, or one with a domain. */
function bareAddress(text: string): string | undefined {
	const host = /^(localhost|\d+(?:\.\d+){3}|(?:[\w-]+\.)+[a-z]{2,}|\[[\da-f:]+\])(?::\d+)?(?:\/\S*)?$/i.exec(
		text,
	)?.[1];
	if (host === undefined) return undefined;
	return `${/[.][a-z]+$/i.test(host) ? 'https' : 'http'}://${text}`;
}

/** Where an OpenAI-compatible API is below its host. */
function apiPath(origin: string): string {
	return isAzureUrl(origin) ? '/openai/v1' : '/v1';
}

/** The client of an endpoint: the file's own or the user's, if one has its address, else a new one with a free name. `undefined`: the text cannot be read. */
export function clientFor(
	{ name, provider, baseUrl }: ChosenEndpoint,
	text: string | undefined,
	scope: VariableScope,
): ClientDefinition | undefined {
	const content = contentOf(text, scope);
	if (!content) return undefined;
	const { file, ofUser, elsewhere } = scope;
	const fileClients = content.config?.clients ?? [];
	const hidden = Object.keys(content.clients);
	const outer = (elsewhere?.clients ?? []).filter((client) => !hidden.includes(client.name));
	const existing = [...fileClients, ...outer].find(
		(client) => client.provider === provider && addressOf(client) === addressOf({ baseUrl }),
	);
	const takenNames = [...hidden, ...outer.map((client) => client.name)];
	return (
		existing ?? { file, ...(ofUser && { ofUser: true }), name: freeName(name, takenNames), provider, baseUrl }
	);
}

/** A model that the user has chosen. */
export interface ChosenModel {
	readonly endpoint: ChosenEndpoint;
	/** The provider's name for it. */
	readonly model: string;
	/** Its endpoint lists it. */
	readonly isListed: boolean;
}

/** What adding a model changes in a file. */
export interface ModelPlan {
	/** `present`: the file offers this model of this client already, by an entry or with all that the client lists: an entry would hide the others. */
	readonly state: 'new' | 'present';
	/** The name of its entry. */
	readonly name: string;
	readonly edits: readonly Edit[];
}

/** Plans the entry of a model, and of its client if the file has none for the address. `undefined`: the text cannot be changed. */
export function planModel(
	{ endpoint, model, isListed }: ChosenModel,
	text: string | undefined,
	scope: VariableScope,
): ModelPlan | undefined {
	const content = contentOf(text, scope);
	const client = clientFor(endpoint, text, scope);
	if (!content || !client) return undefined;
	const offersAll = content.config?.clientsWithoutModels.some(({ name }) => name === client.name);
	if (offersAll && isListed) return { state: 'present', name: model, edits: [] };
	const present = Object.entries(content.models).find(
		([, entry]) => isRecord(entry) && entry.client === client.name && entry.model === model,
	);
	if (present) return { state: 'present', name: present[0], edits: [] };
	const name = freeName(model.slice(model.lastIndexOf('/') + 1) || model, Object.keys(content.models));
	const models = new Map([[name, { client: client.name, model }]]);
	const isKnown =
		Object.hasOwn(content.clients, client.name) ||
		scope.elsewhere?.clients.some((other) => other.name === client.name);
	const clients = isKnown ? new Map() : new Map([[client.name, clientEntry(client)]]);
	const after =
		content.text === ''
			? `${JSON.stringify({ clients: Object.fromEntries(clients), models: Object.fromEntries(models) }, undefined, '\t')}\n`
			: withEntries(withEntries(content.text, 'clients', clients), 'models', models);
	return { state: 'new', name, edits: smallestEdit(text ?? '', after) };
}

function clientEntry({ provider, baseUrl }: ChosenEndpoint): object {
	return { provider, ...(baseUrl !== defaultBaseUrls[provider] && { base_url: baseUrl }) };
}

/** The sections of a file; `undefined`: it cannot be read, or something else is in their place. */
function contentOf(text = '', scope: VariableScope) {
	if (text.trim() === '') return { text: '', config: undefined, clients: {}, models: {} };
	const file = ConfigText.of(text).value;
	if (!isRecord(file)) return undefined;
	const { clients = {}, models = {} } = file;
	const { config } = loadConfig(text, scope);
	return isRecord(clients) && isRecord(models) ? { text, config, clients, models } : undefined;
}
