import * as l10n from '@vscode/l10n';
import { environmentName, nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { convertServers, type ImportedSecret, mapTexts } from '../import/importedServer.ts';
import { type ImportPlan, planImport } from '../import/importPlan.ts';
import { variablesIn } from '../secrets/environmentNames.ts';
import { type VariableScope, withSecrets } from '../secrets/variables.ts';
import { secretsOfLaunch } from '../servers/launch.ts';
import type { DraftEntry, DraftInput, ServerDraft } from './serverDraft.ts';

/** A value that a server needs and that the text does not contain. */
export interface MissingInput {
	/** Of `${input:id}`; for an environment variable, its name. */
	readonly id: string;
	/** `input`: fills a place in the entry. `variable`: the entry reads it by name, so it is stored under that name. */
	readonly kind: 'input' | 'variable';
	readonly description?: string;
	readonly choices?: readonly { readonly value: string; readonly label?: string }[];
	readonly default?: string;
	/** It goes to secret storage and is never shown. */
	readonly isSecret: boolean;
	/** The server cannot be added without it. Other values are left out if none is given. */
	readonly isRequired: boolean;
}

/** Answers by input id. */
export type Answers = ReadonlyMap<string, string>;

/** A server to add, and what to ask for first. */
export interface Proposal {
	readonly draft: ServerDraft;
	readonly inputs: readonly MissingInput[];
}

/** A placeholder: `<your-key>`, `YOUR_API_KEY`, `{{key}}`. */
const blank =
	/<[A-Za-z][^<>\n]{1,80}>|\{\{[^{}\n]{1,80}\}\}|\[(?:your|insert|enter)[^\][\n]{1,80}\]|\b(?:YOUR|MY|INSERT|REPLACE)[_-][A-Z0-9_-]*[A-Z0-9]\b|\byour[-_][a-z0-9_-]*[a-z0-9]\b|\b[xX]{6,}\b/;
/** A folder or file on somebody else's machine, as in readmes. */
const otherPath =
	/(?:^|[=,])(?:[A-Za-z]:)?[\\/.~]*(?:(?:(?:absolute|full|your|local)[\\/_-])?path[\\/_-](?:to|of)\b|(?:users|home)[\\/]+(?:user(?:name)?|you(?:r[-_]?(?:user)?name)?|me|<[^<>]+>)(?=[\\/,]|$)|absolute[\\/]|(?:your|some)[\\/])/i;

/** Turns the placeholders of a draft into inputs, and lists all inputs; `scope`: of the configuration it will be added to. */
export function proposalOf(found: ServerDraft, scope: VariableScope): Proposal {
	const draft = withPlacesAsInputs(found);
	const env = withSecrets(scope).env;
	const asked = new Map<string, MissingInput>();
	mapTexts(draft.entry, (text) => {
		for (const [, id = ''] of text.matchAll(/\$\{input:([^{}]*)\}/g))
			asked.set(`input ${id}`, inputOf(id, draft.inputs.get(id)));
		for (const name of variablesIn(text)) {
			if (env[name] !== undefined) continue;
			asked.set(`variable ${name}`, {
				id: name,
				kind: 'variable',
				isSecret: nameVerdict(name) !== 'plain',
				isRequired: true,
			});
		}
		return text;
	});
	return { draft, inputs: [...asked.values()] };
}

function instead(written: string): string {
	return l10n.t('replaces {0}', written);
}

function inputOf(id: string, input: DraftInput | undefined): MissingInput {
	const { description, options, default: byDefault, password, optional } = input ?? {};
	return {
		id,
		kind: 'input',
		...(description !== undefined && { description }),
		...(options && { choices: options }),
		...(byDefault !== undefined && { default: byDefault }),
		isSecret: password ?? nameVerdict(id) === 'secret',
		isRequired: !optional,
	};
}

/** Turns what a readme leaves to the reader into inputs: keys, folders of other machines, variables without a value. */
function withPlacesAsInputs(draft: ServerDraft): ServerDraft {
	const inputs = new Map(draft.inputs);
	const ids = new Map<string, string>();
	const place = (wish: string, written: string, input: DraftInput) => {
		// The same placeholder in two places is one question; the same text under two names is two.
		const key = `${wish} ${written}`;
		let id = ids.get(key);
		for (let number = 1; id === undefined; number++) {
			const name = number === 1 ? wish : `${wish}_${number}`;
			if (!inputs.has(name)) id = name;
		}
		ids.set(key, id);
		inputs.set(id, input);
		return `\${input:${id}}`;
	};
	const secrets = new Map(
		[...secretsOfLaunch(draft.name, draft.entry)].map(({ path, spans }) => [JSON.stringify(path), spans]),
	);
	const args = draft.entry.kind === 'stdio' ? draft.entry.args : [];
	const entry = mapTexts(draft.entry, (text, path) => {
		const [key, inner] = path;
		const option = typeof inner === 'number' ? (args[inner - 1] ?? '') : '';
		const flag = /^--?([A-Za-z][\w-]*)$/.exec(option)?.[1] ?? /^-{0,2}([A-Za-z][\w-]*)=/.exec(text)?.[1];
		const name = typeof inner === 'string' ? inner : flag;
		const described = name === undefined ? {} : { description: instead(text) };
		const span = secrets.get(JSON.stringify(path))?.find(({ kind }) => kind === 'placeholder');
		if (span) {
			const written = text.slice(span.start, span.end);
			const filled = place(span.wish, written, { password: true, ...(key !== 'env' && described) });
			return text.slice(0, span.start) + filled + text.slice(span.end);
		}
		if (key === 'env' && text.trim() === '' && name !== undefined)
			return place(environmentName(name), text, { password: nameVerdict(name) === 'secret' });
		if (key !== 'url' && otherPath.test(text)) {
			// `--folder=/path/to/it`, `type=bind,src=/path/to/it`
			const parts = text.includes('=') ? text.split(/([=,])/) : [text];
			return parts
				.map((part) => {
					if (!otherPath.test(part)) return part;
					const isFile = /\.\w{1,5}$/.test(part);
					const wish = key === 'args' ? (isFile ? 'FILE' : 'FOLDER') : environmentName(name ?? 'PATH');
					const isMore = key === 'args' && inputs.has(wish) && part === text;
					const byDefault = isMore || isFile ? {} : { default: `\${workspaceFolder}` };
					// Only the first of several folders is required.
					const more = isMore && { optional: true as const };
					return place(wish, part, { description: instead(text), password: false, ...byDefault, ...more });
				})
				.join('');
		}
		return text.replace(new RegExp(blank, 'g'), (written) => {
			const words = environmentName(written.replace(/^[<[{\s]*(your|my|insert|replace)[-_ ]/i, ''));
			const wish = key === 'env' && name !== undefined ? environmentName(name) : words;
			const isSecret =
				nameVerdict(wish) === 'secret' || (name !== undefined && nameVerdict(name) === 'secret');
			return place(wish, written, { description: instead(text), password: isSecret });
		});
	});
	return { ...draft, entry, inputs };
}

/**
 * What adding a proposed server under a name would change in a configuration of this text. Secret answers, and those that look secret,
 * never enter the file, which reads them as variables. `undefined`: the text cannot be changed.
 */
export function planAddition(
	{ draft, inputs }: Proposal,
	{ name, answers }: { readonly name: string; readonly answers: Answers },
	text: string | undefined,
	{ scope, platform }: { readonly scope: VariableScope; readonly platform: NodeJS.Platform },
): ImportPlan | undefined {
	const full = withSecrets(scope);
	const secret = new Map<string, string>();
	const plain = new Map<string, string>();
	const variables: ImportedSecret[] = [];
	for (const input of inputs) {
		const answer = answers.get(input.id);
		if (answer === undefined) continue;
		if (input.kind === 'variable') variables.push({ name: input.id, value: answer });
		else (input.isSecret && answer !== '' ? secret : plain).set(input.id, answer);
	}
	const filled = filledIn(draft, plain, new Set(secret.keys()));
	const env = { ...full.env, ...Object.fromEntries(variables.map((one) => [one.name, one.value])) };
	const [server] = convertServers([{ ...filled, name }], { env, platform, answers: secret });
	const plan = server && planImport([server], text, { ...full, env });
	return plan && { ...plan, secrets: [...plan.secrets, ...variables] };
}

/** The server with the answers filled in, and without the optional parts that have no answer. */
function filledIn(draft: ServerDraft, answers: Answers, kept: ReadonlySet<string>): ServerDraft {
	const inputsIn = (text: string) => [...text.matchAll(/\$\{input:([^{}]*)\}/g)].map(([, id = '']) => id);
	const isLeftOut = (text: string) =>
		inputsIn(text).some((id) => draft.inputs.get(id)?.optional && !answers.has(id) && !kept.has(id));
	const entry = withoutTexts(draft.entry, isLeftOut, (text) =>
		inputsIn(text).some((id) => draft.inputs.get(id)?.flagged),
	);
	const fill = (text: string) =>
		text.replace(/\$\{input:([^{}]*)\}/g, (written, id: string) => answers.get(id) ?? written);
	return { ...draft, entry: mapTexts(entry, fill) };
}

function withoutTexts(
	launch: DraftEntry,
	isLeftOut: (text: string) => boolean,
	hasOption: (text: string) => boolean,
): DraftEntry {
	const rest = (texts: ReadonlyMap<string, string>) =>
		new Map([...texts].filter(([, text]) => !isLeftOut(text)));
	if (launch.kind === 'remote') return { ...launch, headers: rest(launch.headers) };
	const env = rest(launch.env);
	const gone = [...launch.env.keys()].filter((name) => !env.has(name));
	const args = launch.args.filter((text, index) => {
		const next = launch.args[index + 1];
		if (isLeftOut(text) || (next !== undefined && isLeftOut(next) && hasOption(next))) return false;
		// `-e NAME` of a container.
		if (text === '-e' && next !== undefined && gone.includes(next)) return false;
		return !(launch.args[index - 1] === '-e' && gone.includes(text));
	});
	return { ...launch, args, env };
}
