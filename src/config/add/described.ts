import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordOf, recordsIn } from '../../common/json.ts';
import { nameList } from '../../common/nameList.ts';
import { quoted } from '../file/jsonPath.ts';
import type { ImportSource } from '../import/importSources.ts';
import { draftsOf, fault, joinedDrafts } from './draftsOf.ts';
import { type DraftInput, type Drafts, mapTexts } from './serverDraft.ts';
import { nameOfPackage } from './serverNames.ts';

/**
 * The servers that a description for people who install them defines: `server.json` of the MCP registry
 * (https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md), alone or as the registry
 * answers, and the manifest of a bundle (https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md). `undefined`: it is neither.
 */
export function describedServers(value: JsonRecord, source?: ImportSource): Drafts | undefined {
	const candidates = Array.isArray(value.servers) ? value.servers : [value];
	const parts = candidates.filter(isRecord).flatMap((candidate) => {
		const server =
			isRecord(candidate.server) && typeof candidate.name !== 'string' ? candidate.server : candidate;
		return registryDrafts(server) ?? bundled(server, source) ?? [];
	});
	return parts.length > 0 ? joinedDrafts(parts) : undefined;
}

/** Most names that a note lists. */
const shownNames = 20;

/** What one way to run a server asks its user for, and leaves out. */
class Questions {
	readonly inputs = new Map<string, DraftInput>();
	readonly #optional: string[] = [];

	/** A value as our entries write it; `undefined`: it is optional, and has none. */
	value(field: JsonRecord, name: string): string | undefined {
		const { value } = field;
		const presetValue = value ?? field.default;
		if (typeof presetValue === 'string' && (value !== undefined || !isTrue(field, 'isSecret')))
			return this.text(presetValue, field);
		if (['number', 'boolean'].includes(typeof presetValue)) return String(presetValue);
		const isAsked = isTrue(field, 'isRequired') ?? isTrue(field, 'isSecret') ?? false;
		if (isAsked) return this.ask(name, field);
		this.#optional.push(name);
		return undefined;
	}

	/** A text with the variables in it, `{name}`. One that is not described is the field itself. */
	text(text: string, field: JsonRecord): string {
		const variables = recordOf(field.variables);
		return text.replace(/\{([A-Za-z][\w.-]*)\}/g, (_, name: string) => {
			const described = Object.hasOwn(variables, name) ? recordOf(variables[name]) : undefined;
			if (typeof described?.value === 'string') return described.value;
			return this.ask(name, described ?? { ...field, default: undefined });
		});
	}

	ask(id: string, field: JsonRecord, more: Pick<DraftInput, 'path' | 'optional'> = {}): string {
		const { description, choices, format } = field;
		this.inputs.set(id, {
			...(typeof description === 'string' && { description }),
			...(typeof field.default === 'string' && { default: field.default }),
			...(Array.isArray(choices) && { options: choices.map((value) => ({ value: String(value) })) }),
			...(format === 'filepath' && { path: 'folder' as const }),
			password: isTrue(field, 'isSecret') ?? false,
			...more,
		});
		return `\${input:${id}}`;
	}

	/** The values of variables or headers by their names. */
	valuesByName(list: unknown): Readonly<Record<string, string>> {
		const values = recordsIn(list).flatMap((field) => {
			if (typeof field.name !== 'string') return [];
			const value = this.value(field, field.name);
			return value === undefined ? [] : [[field.name, value] as const];
		});
		return Object.fromEntries(values);
	}

	words(list: unknown): readonly string[] {
		return recordsIn(list).flatMap((field) => {
			const { name } = field;
			const isNamed = field.type === 'named' && typeof name === 'string';
			const hint = isNamed
				? name.replace(/^-+/, '')
				: String(fieldOf(field, 'valueHint') ?? name ?? 'argument');
			const value = this.value(field, hint);
			if (value === undefined) return [];
			return [...(isNamed ? [name] : []), ...(value === '' && isNamed ? [] : [value])];
		});
	}

	get notes(): readonly string[] {
		const names = nameList(this.#optional, shownNames);
		return this.#optional.length > 0 ? [l10n.t('What is optional is left out: {0}.', names)] : [];
	}
}

/** A key of the registry: in its older files, `registryType` is `registry_type`. */
function fieldOf(record: JsonRecord, key: string): unknown {
	return record[key] ?? record[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function isTrue(record: JsonRecord, key: string): boolean | undefined {
	const value = fieldOf(record, key);
	return typeof value === 'boolean' ? value : undefined;
}

/** Each way to run a server of the registry. */
function registryDrafts(server: JsonRecord): Drafts | undefined {
	const packages = recordsIn(server.packages).filter(
		(registryPackage) => registryOf(registryPackage) !== undefined,
	);
	const remotes = recordsIn(server.remotes).filter(
		(remote) => typeof remote.url === 'string' && transportOf(remote) !== undefined,
	);
	if (packages.length + remotes.length === 0) return undefined;
	const packageName = nameOfPackage(String(server.name ?? ''));
	const name = packageName === 'server' ? '' : packageName;
	const alternatives = [
		...packages.map((registryPackage) => packageDrafts(registryPackage, name)),
		...remotes.map((remote) => {
			const questions = new Questions();
			const headers = questions.valuesByName(remote.headers);
			const url = questions.text(String(remote.url), remote);
			return drafts(
				name,
				{ url, type: transportOf(remote), ...(Object.keys(headers).length > 0 && { headers }) },
				questions,
			);
		}),
	];
	const usable = alternatives.filter(({ servers }) => servers.length > 0);
	return joinedDrafts(usable.length > 0 ? usable : alternatives);
}

function transportOf(remote: JsonRecord): unknown {
	return remote.type ?? fieldOf(remote, 'transportType');
}

function drafts(name: string, entry: JsonRecord, { inputs, notes }: Questions): Drafts {
	return draftsOf({ name, entry, inputs, notes, product: 'VS Code' });
}

/** The program that runs a package of each registry, with the words before the package. */
const runners: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
	npm: ['npx', '-y'],
	pypi: ['uvx'],
	oci: ['docker', 'run', '-i', '--rm'],
	docker: ['docker', 'run', '-i', '--rm'],
	nuget: ['dnx'],
};

function registryOf(registryPackage: JsonRecord): unknown {
	return fieldOf(registryPackage, 'registryType') ?? fieldOf(registryPackage, 'registryName');
}

function packageDrafts(registryPackage: JsonRecord, name: string): Drafts {
	const kind = String(registryOf(registryPackage));
	const id = registryPackage.identifier ?? registryPackage.name;
	const runner = Object.hasOwn(runners, kind) ? runners[kind] : undefined;
	if (!runner || typeof id !== 'string')
		return fault(l10n.t('Packages of the type {0} cannot be run here.', quoted(kind)));
	const transport = recordOf(registryPackage.transport).type ?? 'stdio';
	if (transport !== 'stdio')
		return fault(
			l10n.t('The package {0} runs as a server of its own. Start it, and paste its URL.', quoted(id)),
		);
	const questions = new Questions();
	const env = questions.valuesByName(fieldOf(registryPackage, 'environmentVariables'));
	const [usualProgram, ...runnerArgs] = runner;
	const hint = fieldOf(registryPackage, 'runtimeHint');
	const program =
		typeof hint === 'string' && /^(npx|bunx|uvx|docker|podman|dnx)$/.test(hint) ? hint : usualProgram;
	const runtimeArgs = questions.words(fieldOf(registryPackage, 'runtimeArguments'));
	const isImage = usualProgram === 'docker';
	const version =
		typeof registryPackage.version === 'string' && !/[@:]\S*$/.test(id.slice(1))
			? registryPackage.version
			: '';
	const packageArgs = questions.words(fieldOf(registryPackage, 'packageArguments'));
	const args = [
		...runnerArgs.filter(() => program !== 'bunx'),
		...runtimeArgs.filter((word) => !runnerArgs.includes(word)),
		...(isImage ? Object.keys(env).flatMap((variable) => ['-e', variable]) : []),
		version === '' ? id : `${id}${isImage ? ':' : runtimeArgs.includes('--from') ? '==' : '@'}${version}`,
		...(usualProgram === 'dnx' ? ['--yes', ...(packageArgs.length > 0 ? ['--'] : [])] : []),
		...packageArgs,
	];
	return drafts(name, { command: program, args, ...(Object.keys(env).length > 0 && { env }) }, questions);
}

/** The server of a bundle, which runs from the folder with its manifest. */
function bundled(
	{ name, server, user_config }: JsonRecord,
	source: ImportSource | undefined,
): Drafts | undefined {
	const { mcp_config: launch } = recordOf(server);
	if (!isRecord(launch) || typeof launch.command !== 'string') return undefined;
	const questions = new Questions();
	const fields = recordOf(user_config);
	const folder =
		source && /[\\/]manifest\.json$/.test(source.path) ? source.path.replace(/[\\/][^\\/]*$/, '') : undefined;
	const filled = (text: string) =>
		text.replace(
			/\$\{(?:user_config\.([\w.-]+)|(__dirname|HOME|DESKTOP|DOCUMENTS|DOWNLOADS))\}/g,
			(written, key = '', place) => {
				if (place === '__dirname')
					return (
						folder ??
						questions.ask('BUNDLE', {
							description: l10n.t('the folder of the unpacked bundle'),
							format: 'filepath',
						})
					);
				if (place !== undefined)
					return place === 'HOME'
						? `\${userHome}`
						: `\${userHome}/${place[0]}${place.slice(1).toLowerCase()}`;
				const field = fields[key];
				if (!Object.hasOwn(fields, key) || !isRecord(field)) return written;
				return questions.ask(key, bundleField(field, filled), bundlePlace(field));
			},
		);
	return drafts(typeof name === 'string' ? name : '', mapTexts(launch, filled), questions);
}

/** A field of a bundle, as the registry would write it. */
function bundleField(
	{ title, description, sensitive, default: presetValue }: JsonRecord,
	filled: (text: string) => string,
): JsonRecord {
	const firstValue = [presetValue].flat()[0];
	return {
		description: description ?? title,
		isSecret: sensitive === true,
		...(firstValue !== undefined && { default: filled(String(firstValue)) }),
	};
}

/** What the registry does not write about a field of a bundle. */
function bundlePlace({ type, required, default: given }: JsonRecord): Pick<DraftInput, 'path' | 'optional'> {
	return {
		...(type === 'directory' && { path: 'folder' }),
		...(type === 'file' && { path: 'file' }),
		...(required !== true && [given].flat()[0] === undefined && { optional: true }),
	};
}

/** Why Docker Compose defines no server: it starts services, and does not say which are servers, and where they listen. */
export function composed({ services }: JsonRecord): Drafts | undefined {
	const isCompose = Object.values(recordOf(services)).some(
		(service) => isRecord(service) && (service.image ?? service.build) !== undefined,
	);
	return isCompose
		? fault(
				l10n.t(
					'This is a Docker Compose file. Start it and paste the URL of its server, or paste a "docker run" command.',
				),
			)
		: undefined;
}
