import * as l10n from '@vscode/l10n';
import { isRecord } from '../../common/json.ts';
import { defaultBaseUrls, isAzureUrl, type Provider } from '../../common/providers.ts';
import { holdsSecret, secretIn, spansOfValue } from '../../common/secrets/secretSpans.ts';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { nameFault } from '../file/entryNames.ts';
import type { Path } from '../file/jsonPath.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import type { SalvagedConfig } from '../salvage.ts';
import { variablesIn } from '../secrets/environmentNames.ts';
import { expandAt, expandVariables, type VariableScope } from '../secrets/variables.ts';
import { addressFault, addressReason, isUnencrypted } from '../servers/address.ts';
import { checkHeader, warnOfSecret } from '../servers/readLaunch.ts';
import type { ClientDefinition, ClientHeader } from './clientDefinition.ts';

type ClientEntry = NonNullable<ReturnType<NonNullable<SalvagedConfig['clients']>['get']>>;

/** Paths that requests append to the address, and that people copy along with it. */
const addedPaths: Readonly<Partial<Record<Provider, RegExp>>> = {
	anthropic: /\/v1$/,
	ollama: /\/(v1|api)$/,
};

/** Optional keys: a fault in one of them drops the key, not the client. */
const optionalKeys = ['headers', 'organization'];

/** Reads each entry of `clients` separately; a faulty one is dropped. */
export function readClients(
	config: SalvagedConfig,
	scope: VariableScope,
	report: ProblemReport,
): readonly ClientDefinition[] {
	const clients: ClientDefinition[] = [];
	for (const [name, entry] of config.clients ?? []) {
		const path = ['clients', name] as const;
		const fault = nameFault(name);
		if (fault) report.error(path, fault, 'key');
		const client = readClient(name, entry, path, scope, report);
		if (client && !report.hasErrorAt(path, optionalKeys)) clients.push(client);
	}
	return clients;
}

/**
 * Warns of keys written into `clients` and `models`. It reads the raw file, because keys unknown to the schema, such as `api_key`, are
 * dropped later.
 */
export function warnOfKeysInClients(file: unknown, report: ProblemReport): void {
	const { clients, models } = isRecord(file) ? file : {};
	for (const { path, text } of [...textsIn(clients, ['clients']), ...textsIn(models, ['models'])]) {
		// "key" alone says little elsewhere, but in a client it is the API key.
		const name = path.length <= 2 ? '' : /^key$/i.test(String(path.at(-1))) ? 'api_key' : String(path.at(-1));
		// A password in an address has its own error, see `addressFault`.
		const spans = spansOfValue('', name, text).filter(({ evidence }) => evidence !== 'password');
		if (!holdsSecret(spans)) continue;
		// The command stores keys of clients only; a header reads its value from a variable.
		if (path[0] === 'clients' && path[2] === 'headers') warnOfSecret(path, report);
		else {
			const message = l10n.t(
				'this looks like a key, which does not belong in this file; move it to secret storage with the light bulb, or write OPENAI_API_KEY or ANTHROPIC_API_KEY into .env',
			);
			report.warning(path, message, { reason: { kind: 'literal-key' } });
		}
	}
}

function readClient(
	name: string,
	entry: ClientEntry,
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): ClientDefinition | undefined {
	const { provider, base_url: written, api } = entry;
	if (provider === undefined) return undefined;
	const baseUrl =
		written === undefined ? defaultBaseUrls[provider] : readBaseUrl(written, provider, path, scope, report);
	if (baseUrl === undefined) return undefined;
	const headers = readHeaders(entry.headers ?? new Map(), [...path, 'headers'], scope, report);
	const organization = readOrganization(entry, path, scope, report);
	const isOfOpenAi = provider === 'openai';
	// Whoever gets that token could act as the user at every service of Azure.
	if (entry.auth === 'microsoft' && !(isOfOpenAi && isAzureUrl(baseUrl) && baseUrl.startsWith('https:'))) {
		const message = l10n.t('Microsoft sign-in works only with Azure URLs, such as "{0}"', azureExample);
		report.error([...path, 'auth'], message);
		return undefined;
	}
	if (api !== undefined && !isOfOpenAi) report.warning([...path, 'api'], onlyOpenAiText(), 'key');
	return {
		file: scope.file,
		...(scope.ofUser && { ofUser: true }),
		name,
		provider,
		baseUrl,
		...(api && isOfOpenAi && { api }),
		...(entry.auth === 'microsoft' && { auth: entry.auth }),
		...(headers.length > 0 && { headers }),
		...(organization !== undefined && { organization }),
	};
}

const azureExample = 'https://NAME.openai.azure.com/openai/v1';

function onlyOpenAiText(): string {
	return l10n.t('has an effect only with "provider": "openai"');
}

/** Headers that carry keys. The user decides where a key is sent; the file must not. */
const keyHeaders = /^(?:(?:proxy-)?authorization|x-api-key|api-key|x-goog-api-key)$/i;
/** Headers that describe a request's or response's body, or identify the protocol. */
const reservedHeaders =
	/^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|anthropic-version)$/i;

/** Reads each header separately; a faulty one is dropped. */
function readHeaders(
	headers: ReadonlyMap<string, string>,
	path: Path,
	scope: VariableScope,
	report: ProblemReport,
): ClientHeader[] {
	return [...headers].flatMap(([name, written]): ClientHeader[] => {
		const at = [...path, name];
		const fault = reservedHeaderFault(name);
		if (fault !== undefined) {
			report.error(at, fault, 'key');
			return [];
		}
		const value = expandAt(at, written, scope, report);
		checkHeader(name, value, at, report);
		if (report.hasErrorAt(at)) return [];
		return [{ name, value, secrets: variablesIn(written).filter((variable) => isSecret(variable, scope)) }];
	});
}

function reservedHeaderFault(name: string): string | undefined {
	if (keyHeaders.test(name))
		return l10n.t('the key is sent automatically; store it with "Discovery: Set API Key or Secret…"');
	if (name.toLowerCase() === 'openai-organization') return l10n.t('write it into "organization"');
	return reservedHeaders.test(name) ? l10n.t('this header is set automatically') : undefined;
}

function readOrganization(
	{ provider, organization: written }: ClientEntry,
	client: Path,
	scope: VariableScope,
	report: ProblemReport,
): string | undefined {
	if (written === undefined) return undefined;
	const path = [...client, 'organization'];
	if (provider !== 'openai') {
		report.error(path, onlyOpenAiText(), 'key');
		return undefined;
	}
	if (variablesIn(written).some((name) => isSecret(name, scope))) {
		report.error(path, l10n.t('an organization cannot contain a variable with a secret'));
		return undefined;
	}
	const organization = expandAt(path, written, scope, report);
	checkHeader('OpenAI-Organization', organization, path, report);
	return report.hasErrorAt(path) ? undefined : organization;
}

function readBaseUrl(
	written: string,
	provider: Provider,
	client: Path,
	scope: VariableScope,
	report: ProblemReport,
): string | undefined {
	const path = [...client, 'base_url'];
	// Otherwise a repository could have every key of the environment sent to any address.
	if (variablesIn(written).some((name) => isSecret(name, scope))) {
		report.error(path, l10n.t('a URL cannot contain a variable with a key, because URLs are shown'));
		return undefined;
	}
	const isSet = expandVariables(written, scope).unset.length === 0;
	const address = expandAt(path, written.trim(), scope, report);
	// With an unset variable, which has been reported, it is not an address yet.
	const fault = isSet ? baseUrlFault(address) : undefined;
	if (fault) report.error(path, fault, addressReason(address));
	if (fault || !isSet) return undefined;
	if (isUnencrypted(address)) {
		const message = l10n.t('the key and all messages are sent unencrypted; use https');
		report.warning(path, message);
	}
	return withoutAddedPath(address.replace(/\/+$/, ''), provider, path, report);
}

function isSecret(name: string, { env }: VariableScope): boolean {
	const value = Object.hasOwn(env, name) ? env[name] : undefined;
	return nameVerdict(name) !== 'plain' || secretIn(name, value ?? '') !== undefined;
}

function baseUrlFault(address: string): string | undefined {
	const fault = addressFault(address, 'provider');
	if (fault) return fault;
	return /[?#]/.test(address) ? l10n.t('a provider’s URL cannot contain "?" or "#"') : undefined;
}

function withoutAddedPath(address: string, provider: Provider, path: Path, report: ProblemReport): string {
	const added = addedPaths[provider]?.exec(address)?.[0];
	if (added === undefined) return address;
	const message = l10n.t(
		'ends in "{0}", which is added automatically with "{1}"; leave it out',
		added,
		provider,
	);
	report.warning(path, message);
	return address.slice(0, -added.length);
}

function* textsIn(value: unknown, path: Path): Generator<{ readonly path: Path; readonly text: string }> {
	if (typeof value === 'string') yield { path, text: value };
	if (typeof value !== 'object' || value === null) return;
	for (const [key, child] of Object.entries(value)) {
		yield* textsIn(child, [...path, Array.isArray(value) ? Number(key) : key]);
	}
}
