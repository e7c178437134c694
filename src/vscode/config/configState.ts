import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import type { Config, LoadedConfig } from '../../config/config.ts';
import { withLastGoodSettings } from '../../config/config.ts';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';

/** Address of a file: `vscode.Uri`, as far as deciding takes it. */
type Address = Pick<vscode.Uri, 'toString'>;

/** What is known of the configuration file. */
export type ConfigState<Uri extends Address = vscode.Uri> =
	| { readonly kind: 'loading' }
	/** No workspace folder has one. */
	| { readonly kind: 'none' }
	/** It could not be read, and there is no earlier one to go by. */
	| { readonly kind: 'broken'; readonly uri: Uri; readonly problems: readonly ConfigProblem[] }
	| ConfigInForce<Uri>;

/** A configuration that is in force, with the faults of the file. */
export interface ConfigInForce<Uri extends Address = vscode.Uri> {
	readonly kind: 'ok';
	readonly uri: Uri;
	readonly config: Config;
	readonly problems: readonly ConfigProblem[];
	/** The file cannot be read now; `config` is what was in force before. */
	readonly stale: boolean;
	/** Where `config` was read: another file than `uri`, where one that comes before it has appeared and cannot be read. */
	readonly origin: Uri;
}

/** What a look at the places of the file found. */
export interface ConfigReading<Uri extends Address = vscode.Uri> {
	/** Where the file may be, in the order in which it is looked for. */
	readonly places: readonly Uri[];
	readonly isTrusted: boolean;
	/** The first file that is there. */
	readonly found?: {
		readonly uri: Uri;
		readonly loaded: LoadedConfig;
		/** What it was loaded from; absent where the file system did not give it to us. */
		readonly source?: ConfigSource;
	};
}

/** All that a configuration is made of. */
interface ConfigSource {
	readonly text: string;
	readonly scope: VariableScope;
}

/** The state with what it came from, so that the next reading can be told from it. */
export interface KnownConfig<Uri extends Address = vscode.Uri> {
	readonly state: ConfigState<Uri>;
	/** What the configuration in force was made of, its `.env` among it; absent where none is in force. */
	readonly source?: ConfigSource;
	readonly reading?: Pick<ConfigReading<Uri>, 'places' | 'isTrusted'>;
}

/**
 * What a reading makes of what was known. The very same object where nothing has changed: a file is read more often than it is saved.
 * The same `config` where text and variables are the same. `'gone'`: there is no file, while one is in force. Editors that save by deleting
 * and renaming leave none for a moment, so it is to be read again after a while, with `isGone`: then the file counts as deleted.
 */
export function nextConfig<Uri extends Address>(
	known: KnownConfig<Uri>,
	reading: ConfigReading<Uri>,
	isGone = false,
): KnownConfig<Uri> | 'gone' {
	const good = lastGood(known, reading.places);
	if (good && !reading.found && !isGone) return 'gone';
	const next = { ...stateOf(reading, good), reading };
	return isSame(known, next) ? known : next;
}

/** A configuration that is in force, and what it was made of. */
interface GoodConfig<Uri extends Address> {
	readonly state: ConfigInForce<Uri>;
	readonly source: ConfigSource;
}

/** The configuration in force, unless its folder has left the workspace, or its name is another one now. */
function lastGood<Uri extends Address>(
	{ state, source }: KnownConfig<Uri>,
	places: readonly Uri[],
): GoodConfig<Uri> | undefined {
	const isHere = state.kind === 'ok' && places.some((place) => isSameAddress(place, state.origin));
	return isHere && source ? { state, source } : undefined;
}

function stateOf<Uri extends Address>(
	{ found }: ConfigReading<Uri>,
	good: GoodConfig<Uri> | undefined,
): Pick<KnownConfig<Uri>, 'state' | 'source'> {
	if (!found) return { state: { kind: 'none' } };
	const { uri, loaded, source } = found;
	const { config, problems } = loaded;
	if (config && source) {
		const isUnchanged =
			good && isSameAddress(good.state.origin, uri) && isDeepStrictEqual(good.source, source);
		const inForce = isUnchanged
			? good.state.config
			: withLastGoodSettings(config, problems, good?.state.config);
		return { state: { kind: 'ok', uri, config: inForce, problems, stale: false, origin: uri }, source };
	}
	return good
		? { state: { ...good.state, uri, problems, stale: true }, source: good.source }
		: { state: { kind: 'broken', uri, problems } };
}

function isSame<Uri extends Address>(a: KnownConfig<Uri>, b: KnownConfig<Uri>): boolean {
	return isSameState(a.state, b.state) && isDeepStrictEqual(circumstances(a), circumstances(b));
}

function isSameState<Uri extends Address>(a: ConfigState<Uri>, b: ConfigState<Uri>): boolean {
	if (a.kind === 'ok' && b.kind === 'ok' && a.config !== b.config) return false;
	return isDeepStrictEqual(comparable(a), comparable(b));
}

/** A state as plain data, without the configuration itself. */
function comparable<Uri extends Address>(state: ConfigState<Uri>): object {
	switch (state.kind) {
		case 'loading':
		case 'none':
			return state;
		case 'broken':
			return { ...state, uri: state.uri.toString() };
		case 'ok':
			return { ...state, config: undefined, uri: state.uri.toString(), origin: state.origin.toString() };
	}
}

function circumstances<Uri extends Address>({ reading }: KnownConfig<Uri>): object | undefined {
	return reading && { isTrusted: reading.isTrusted, places: reading.places.map(String) };
}

function isSameAddress(a: Address, b: Address): boolean {
	return a.toString() === b.toString();
}
