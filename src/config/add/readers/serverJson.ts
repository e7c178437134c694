import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord, recordOf } from '../../../common/json.ts';
import { environmentName, nameVerdict } from '../../../common/secrets/secretVerdict.ts';
import { quoted } from '../../file/jsonPath.ts';
import { hijacksProcess, redirectsTraffic } from '../../secrets/environmentNames.ts';
import { draftsOf, fault, joined } from '../draftsOf.ts';
import type { DraftInput, Drafts } from '../serverDraft.ts';
import { nameFromParts, nameOfAddress } from '../serverNames.ts';

/**
 * `server.json`, the format in which servers are described to registries
 * (https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md). Before September 2025,
 * its keys had underscores; both are read.
 */
export function isServerJson(value: JsonRecord): boolean {
	return Array.isArray(value.packages) || Array.isArray(value.remotes);
}

/** Longest name of a requested value, in UTF-16 units. */
const longestName = 64;
/** Most packages, remotes, arguments and variables read from one description. */
const mostParts = 100;

/** Each way to run or reach the server, as a draft; ways that do not work here are faults, as sentences. */
export function readServerJson(described: JsonRecord): Drafts {
	const name = text(described.name);
	const short = name === '' ? undefined : nameFromParts(name.split(/[/.]/).slice(-2));
	const version = text(described.version) || text(recordOf(described.version_detail).version);
	const ways = [
		...records(described.packages).map((one) => packageWay(one, version, short)),
		...records(described.remotes).map((one) => remoteWay(one, short)),
	];
	return ways.length > 0 ? joined(ways) : fault(l10n.t('It has no package and no URL.'));
}

/** How packages of one kind are started. */
interface Starter {
	readonly label: string;
	readonly program: string;
	/** Words before those of the description. */
	readonly words: readonly string[];
	/** Valid names of packages, so that none leads elsewhere or passes for an option. */
	readonly identifier: RegExp;
	/** The host that the program downloads packages from. */
	readonly host: RegExp;
	/** Options that do not change which package is run. */
	readonly harmless: RegExp;
	readonly versioned: (identifier: string, version: string) => string;
}

function starterOf(registry: string): Starter | undefined {
	switch (registry) {
		case 'npm':
			return {
				label: l10n.t('npm package'),
				program: 'npx',
				words: ['-y'],
				identifier: /^(@[\w~-][\w.~-]*\/)?[A-Za-z0-9][\w.~-]*$/,
				host: /(^|\.)npmjs\.(org|com)$/,
				harmless: /^(-y|--yes|-q|--quiet|--silent|--prefer-offline|--prefer-online|--ignore-scripts)$/,
				versioned: (identifier, version) => `${identifier}@${version}`,
			};
		case 'pypi':
			return {
				label: l10n.t('Python package'),
				program: 'uvx',
				words: [],
				identifier: /^[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?$/,
				host: /(^|\.)(pypi\.org|pythonhosted\.org)$/,
				harmless: /^(-q|--quiet|--isolated|--offline|--no-cache|--refresh)$/,
				versioned: (identifier, version) => `${identifier}==${version}`,
			};
		case 'oci':
		case 'docker':
			return {
				label: l10n.t('container image'),
				program: 'docker',
				words: ['run', '-i', '--rm'],
				identifier: /^[a-z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$/,
				host: /./,
				harmless: /^(-i|-t|-it|-ti|--rm|--init|--interactive|--tty|--read-only)$/,
				versioned: (identifier, version) =>
					/@|:[\w.-]+$/.test(identifier) ? identifier : `${identifier}:${version}`,
			};
		case 'nuget':
			return {
				label: l10n.t('NuGet package'),
				program: 'dnx',
				words: [],
				identifier: /^[A-Za-z0-9][\w.-]*$/,
				host: /(^|\.)nuget\.org$/,
				harmless: /^(-y|--yes)$/,
				versioned: (identifier, version) => `${identifier}@${version}`,
			};
		default:
			return undefined;
	}
}

const versionPattern = /^[A-Za-z0-9][\w.+-]{0,127}$/;
/** What installers take for a file in the workspace. */
const file = /\.(tgz|tar|tar\.\w+|whl|zip|nupkg)$/i;
const longestIdentifier = 255;

/** How a package is started: what is shown as its name is what runs. */
function packageWay(described: JsonRecord, serverVersion: string, name?: string): Drafts {
	const registry = text(described.registryType ?? described.registry_type ?? described.registry_name);
	const identifier = text(described.identifier ?? described.name);
	const starter = starterOf(registry);
	if (!starter) return fault(l10n.t('Packages of type {0} cannot be run.', quoted(registry)));
	const version = text(described.version) || serverVersion;
	const isNamed =
		starter.identifier.test(identifier) &&
		identifier.length <= longestIdentifier &&
		![identifier, version].some((name) => file.test(name));
	if (!isNamed || (version !== '' && !versionPattern.test(version)))
		return fault(l10n.t('{0} is not a package name.', quoted(`${identifier}@${version}`)));
	const host = URL.parse(text(described.registryBaseUrl ?? described.registry_base_url))?.host;
	if (host !== undefined && !starter.host.test(host))
		return fault(
			l10n.t(
				'Its package {0} is at {1}, which is not a supported registry.',
				quoted(identifier),
				quoted(host),
			),
		);
	const variables = described.environmentVariables ?? described.environment_variables;
	const steering = records(variables).find(setsSteering);
	if (steering)
		return fault(
			l10n.t(
				'The package {0} cannot be used: its description sets {1}, which decides what runs or where it comes from.',
				quoted(identifier),
				quoted(text(steering.name)),
			),
		);
	const inputs = new Inputs();
	const env = valuesOf(variables, inputs);
	const runtime = argumentsOf(described.runtimeArguments ?? described.runtime_arguments, inputs);
	const own = argumentsOf(described.packageArguments ?? described.package_arguments, inputs);
	const named = version === '' || version === 'latest' ? identifier : starter.versioned(identifier, version);
	const options = optionsOf(runtime, starter, identifier);
	if (!options)
		return fault(
			l10n.t('The package {0} cannot be used: its description would run something else.', quoted(identifier)),
		);
	const transport = recordOf(described.transport);
	const notes = [
		...(text(transport.url) === ''
			? []
			: [l10n.t('It is designed to run at a URL, but will run over stdio here.')]),
		...(starter.program === 'docker' ? mountedPaths(options) : []).map((path) =>
			l10n.t('It gives the container access to {0}.', quoted(path)),
		),
	];
	// A container sees only the variables that are passed on.
	const taken = starter.program === 'docker' ? Object.keys(env).flatMap((name) => ['-e', name]) : [];
	const lead = [...starter.words, ...options, ...taken];
	const args =
		starter.program === 'dnx' ? [named, '--yes', ...(own.length > 0 ? ['--'] : [])] : [...lead, named];
	return draftsOf({
		name: name ?? nameFromParts(identifier.split('/')),
		way: `${starter.label} ${named}`,
		entry: { command: starter.program, args: [...args, ...own], env },
		inputs: inputs.inputs,
		notes,
	});
}

/**
 * The options for starting a package, without the default ones. `undefined`: one of them could make another package run than the named one.
 */
function optionsOf(words: readonly string[], starter: Starter, identifier: string): string[] | undefined {
	const options: string[] = [];
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? '';
		const isNamedAgain = word === identifier || word.replace(/(?<=.)(@|==|:)[^@=:/]*$/, '') === identifier;
		if (starter.words.includes(word) || (index === words.length - 1 && isNamedAgain)) continue;
		if (starter.harmless.test(word)) options.push(word);
		else if (starter.program === 'docker') {
			const [name = '', glued] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
			const value = glued ?? words[++index];
			if (value === undefined || !isContained(name, value)) return undefined;
			options.push(...(glued === undefined ? [word, value] : [word]));
		} else return undefined;
	}
	return options;
}

/** Options of `docker run` that keep a container isolated, except for what they name, and that keep its image. */
const containedOption =
	/^(-e|--env|-v|--volume|--mount|-p|--publish|--name|--network|--net|-w|--workdir|-u|--user|--platform|-l|--label|-m|--memory|--cpus|--shm-size|--cap-drop|-h|--hostname|--tmpfs|--ulimit|--stop-timeout)$/;

function isContained(name: string, value: string): boolean {
	if (!containedOption.test(name)) return false;
	return !/^--net(work)?$/.test(name) || !/^(host|container:)/.test(value);
}

/** Files and folders of this machine that options expose to the container, except those that the user is asked for. */
function mountedPaths(options: readonly string[]): readonly string[] {
	return options.flatMap((word, index) => {
		const [name = '', glued] = word.split(/=(.*)/s);
		const value = glued ?? options[index + 1] ?? '';
		const source =
			name === '--mount'
				? /(?:^|,)(?:src|source)=([^,]*)/.exec(value)?.[1]
				: /^(-v|--volume)$/.test(name)
					? /^((?:[A-Za-z]:)?[^:]*)/.exec(value)?.[1]
					: undefined;
		return source === undefined || !/[\\/.~$]/.test(source) || source.includes('${input:') ? [] : [source];
	});
}

/** Whether a description sets a variable that changes what code runs, or where it is downloaded from. */
function setsSteering(variable: JsonRecord): boolean {
	const name = text(variable.name);
	const isSet = [variable.value, variable.default, variable.choices].some((one) => one !== undefined);
	return isSet && (hijacksProcess(name) || redirectsTraffic(name));
}

function remoteWay(described: JsonRecord, name?: string): Drafts {
	const inputs = new Inputs();
	const address = text(described.url);
	const url = inputs.filled(address, recordOf(described.variables), { required: true });
	const type = text(described.type ?? described.transport_type);
	const headers = valuesOf(described.headers, inputs);
	return draftsOf({
		name: name ?? nameOfAddress(address),
		way: address,
		entry: { url, type: type === 'sse' ? 'sse' : 'http', headers },
		inputs: inputs.inputs,
	});
}

/** The words of a list of arguments, with `${input:…}` for what the user has to provide. */
function argumentsOf(list: unknown, inputs: Inputs): string[] {
	return records(list).flatMap((argument) => {
		const flag = argument.type === 'named' ? text(argument.name) : '';
		const hint = text(argument.valueHint ?? argument.value_hint) || flag.replace(/^-+/, '');
		const isFlag = flag !== '' && argument.format === 'boolean';
		const asked = inputs.valueOf(argument, hint || l10n.t('argument'), { isFlagged: flag !== '' && !isFlag });
		if (asked === undefined) return flag === '' || isInput(argument) ? [] : [flag];
		if (isFlag) return asked === 'true' ? [flag] : asked === 'false' ? [] : [`${flag}=${asked}`];
		return flag === '' ? [asked] : [flag, asked];
	});
}

/** Whether an argument is more than a fixed word. */
function isInput(argument: JsonRecord): boolean {
	return ['default', 'choices', 'placeholder', 'format', 'isRequired', 'is_required'].some(
		(key) => argument[key] !== undefined,
	);
}

/** Variables or headers, by name. */
function valuesOf(list: unknown, inputs: Inputs): Record<string, string> {
	const values = records(list).flatMap((one) => {
		const name = text(one.name);
		const value = !/^[\w-]+$/.test(name) ? undefined : inputs.valueOf(one, name, { isFlagged: false });
		return value === undefined ? [] : [[name, value] as const];
	});
	return Object.fromEntries(values);
}

/** Collects the inputs of a description. */
class Inputs {
	readonly inputs = new Map<string, DraftInput>();

	/** The text of a value: fixed, made from variables, or an input; `undefined`: it has none. */
	valueOf(one: JsonRecord, name: string, { isFlagged }: { readonly isFlagged: boolean }): string | undefined {
		const required = isRequired(one);
		const value = text(one.value);
		if (value !== '') return this.filled(value, recordOf(one.variables), { required });
		const hasInput = required || one.default !== undefined || one.description !== undefined || isInput(one);
		if (!hasInput) return undefined;
		return this.#ask(one, name, required, isFlagged);
	}

	/** Replaces `{name}` by an input for each of its variables; other braces stay. */
	filled(value: string, variables: JsonRecord, { required }: { readonly required: boolean }): string {
		return value.replace(/\{([^{}]+)\}/g, (written, name: string) => {
			const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
			if (!isRecord(variable)) return written;
			const fixed = text(variable.value);
			if (fixed !== '') return fixed;
			return this.#ask(variable, name, required || isRequired(variable), false);
		});
	}

	#ask(one: JsonRecord, name: string, required: boolean, isFlagged: boolean): string {
		const choices = Array.isArray(one.choices)
			? one.choices.filter((choice) => typeof choice === 'string')
			: [];
		const description = text(one.description);
		const byDefault = ['string', 'number', 'boolean'].includes(typeof one.default) ? String(one.default) : '';
		const isSecret = one.isSecret ?? one.is_secret;
		// A name from outside may contain characters that end a variable.
		const wish = environmentName(name.slice(0, longestName));
		let id = wish;
		for (let number = 2; this.inputs.has(id); number++) id = `${wish}_${number}`;
		this.inputs.set(id, {
			...(description !== '' && { description }),
			...(choices.length > 0 && {
				options: choices.slice(0, mostParts).map((choice) => ({ value: choice })),
			}),
			...(byDefault !== '' && { default: byDefault }),
			password: isSecret === undefined ? nameVerdict(name) === 'secret' : isSecret === true,
			...(!required && { optional: true }),
			...(isFlagged && { flagged: true }),
		});
		return `\${input:${id}}`;
	}
}

function isRequired({ isRequired: required, is_required: old }: JsonRecord): boolean {
	return required === true || old === true;
}

function records(value: unknown): readonly JsonRecord[] {
	return Array.isArray(value) ? value.slice(0, mostParts).filter(isRecord) : [];
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
