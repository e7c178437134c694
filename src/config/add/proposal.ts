import * as l10n from '@vscode/l10n';
import { nameList } from '../../common/nameList.ts';
import { environmentName, nameVerdict } from '../../common/secrets/secretVerdict.ts';
import type { Path } from '../file/jsonPath.ts';
import { referencesIn } from '../import/foreignVariables.ts';
import { convertServers, type ImportedSecret } from '../import/importedServer.ts';
import { type ImportPlan, planImport } from '../import/importPlan.ts';
import { secretNameFault, variablesIn } from '../secrets/environmentNames.ts';
import { type VariableScope, withSecrets } from '../secrets/variables.ts';
import { secretsAt } from '../servers/launch.ts';
import { type DraftInput, mapTexts, type ServerDraft, type ServerJson, textsIn } from './serverDraft.ts';

/** Answers by what they replace: `input:id`, or `env:NAME` for a variable. */
export type InputAnswers = ReadonlyMap<string, string>;

/** Servers to add, and what to ask for first. */
export interface Proposal {
	readonly drafts: readonly ServerDraft[];
	/**
	 * What the text does not contain, by what it replaces: an input fills a place in the entries, and a variable is read by its name, so it is
	 * stored under that name.
	 */
	readonly questions: ReadonlyMap<string, DraftInput>;
}

/** Where servers are added: the variables of the configuration, and the machine. */
interface AdditionContext {
	readonly scope: VariableScope;
	readonly platform: NodeJS.Platform;
}

/** A placeholder: `<your-key>`, `YOUR_API_KEY`, `{{key}}`. */
const blank =
	/<[A-Za-z][^<>\n]{1,80}>|\{\{[^{}\n]{1,80}\}\}|\[(?:your|insert|enter)[^\][\n]{1,80}\]|\b(?:YOUR|MY|INSERT|REPLACE)[_-][A-Z0-9_-]*[A-Z0-9]\b|\byour[-_][a-z0-9_-]*[a-z0-9]\b|\b[xX]{6,}\b/;
/** A folder or file on somebody else's machine, as in readmes. */
const otherPath =
	/(?:^|[=,])(?:[A-Za-z]:)?[\\/.~]*(?:(?:(?:abs(?:olute)?|full|your|local)[\\/_-])?path[\\/_-](?:to|of)\b|(?:users|home)[\\/]+(?:user(?:name)?|you(?:r[-_]?(?:user)?name)?|me|<[^<>]+>)(?=[\\/,]|$)|abs(?:olute)?[\\/]|(?:your|some)[\\/])/i;

/** Lists all inputs of drafts, and the variables without a value. */
export function proposalOf(drafts: readonly ServerDraft[], { scope, platform }: AdditionContext): Proposal {
	const { env } = withSecrets(scope);
	const inputs = new Map<string, DraftInput>();
	const distinct = drafts.map((draft) => withDistinctInputs(draft, inputs));
	const questions = new Map<string, DraftInput>();
	// The title of the questions names a single server.
	const withDescription = (input: DraftInput, users: readonly { readonly name: string }[]): DraftInput =>
		drafts.length === 1 || input.description
			? input
			: { ...input, description: l10n.t('needed by {0}', nameList(users.map(({ name }) => name))) };
	for (const id of distinct.flatMap(({ entry }) => textsIn(entry)).flatMap(inputsIn)) {
		const users = distinct.filter(({ entry }) => textsIn(entry).flatMap(inputsIn).includes(id));
		questions.set(
			`input:${id}`,
			withDescription(inputs.get(id) ?? { password: nameVerdict(id) === 'secret' }, users),
		);
	}
	const converted = convertServers(distinct, { env, platform });
	const coveredNames = new Set(
		converted.flatMap((server) => [...server.inputs.keys(), ...server.secrets.map(({ name }) => name)]),
	);
	for (const name of variablesIn(converted.map(({ entry }) => entry))) {
		if (env[name] !== undefined || coveredNames.has(name) || secretNameFault(name)) continue;
		const users = converted.filter(({ entry }) => variablesIn([entry]).includes(name));
		questions.set(`env:${name}`, withDescription({ password: nameVerdict(name) !== 'plain' }, users));
	}
	return { drafts: distinct, questions };
}

/** Gives an input another id if a draft before it asks for something else under the same. Drafts of one file share its inputs. */
function withDistinctInputs(draft: ServerDraft, inputsById: Map<string, DraftInput>): ServerDraft {
	const ids = new Map<string, string>();
	for (const [wish, input] of draft.inputs) {
		let id = wish;
		for (let number = 2; (inputsById.get(id) ?? input) !== input; number++) id = `${wish}_${number}`;
		inputsById.set(id, input);
		ids.set(wish, id);
	}
	const renamed = (text: string) =>
		text.replace(/\$\{input:([^{}]*)\}/g, (_, id: string) => `\${input:${ids.get(id) ?? id}}`);
	return {
		...draft,
		entry: mapTexts(draft.entry, renamed),
		inputs: new Map([...draft.inputs].map(([id, input]) => [ids.get(id) ?? id, input])),
	};
}

function inputsIn(text: string): readonly string[] {
	return [...text.matchAll(/\$\{input:([^{}]*)\}/g)].map(([, id = '']) => id);
}

/** Programs that run code from a folder. */
const interpreter =
	/^(node|nodemon|tsx|ts-node|npm|pnpm|yarn|bun|deno|python[\d.]*|py|uv|poetry|ruby|bundle|php|java|go|cargo|dotnet|sh|bash|zsh|pwsh|powershell|cmd)(\.exe|\.cmd)?$/i;
const namesCode = /^(PYTHONPATH|NODE_PATH|CLASSPATH|VIRTUAL_ENV|PATH)$/;

/**
 * Whether a path of an entry is where the server's own code is, which is no folder of the user's: the program, its folder, or the first path that
 * an interpreter gets. A package has no such path.
 */
function isOwnCode({ command = '', args = [] }: ServerJson, [key, inner]: Path): boolean {
	if (key === 'env') return namesCode.test(String(inner));
	if (key !== 'args') return true;
	const earlierWords = args.slice(0, Number(inner));
	const hasCode = earlierWords.some(
		(word, index) => /[\\/]|^[^-].*\.\w{1,5}$/.test(word) || earlierWords[index - 1] === '-m',
	);
	return interpreter.test(command.split(/[\\/]/).at(-1) ?? '') && !hasCode;
}

function replacesText(written: string): string {
	return l10n.t('replaces {0}', written);
}

/**
 * Turns what a readme leaves to its reader into inputs: keys, folders of other machines, variables without a value. A program's own file leaves
 * nothing: there, `/home/user` is a folder, and an empty value is one.
 */
export function withPlacesAsInputs(draft: ServerDraft): ServerDraft {
	const inputs = new Map(draft.inputs);
	const ids = new Map<string, string>();
	const addInput = (wish: string, written: string, input: DraftInput) => {
		// The same placeholder in two places is one question; the same text under two names is two.
		const key = `${wish} ${written}`;
		let id = ids.get(key) ?? wish;
		for (let number = 2; !ids.has(key) && inputs.has(id); number++) id = `${wish}_${number}`;
		ids.set(key, id);
		inputs.set(id, input);
		return `\${input:${id}}`;
	};
	const secretsOf = secretsAt(draft.name, draft.entry);
	const { args = [] } = draft.entry;
	const entry = mapTexts(draft.entry, (text, path) => {
		const [key, inner] = path;
		const option = typeof inner === 'number' ? (args[inner - 1] ?? '') : '';
		const flag = /^-{0,2}([A-Za-z][\w-]*)=/.exec(text)?.[1] ?? /^--?([A-Za-z][\w-]*)$/.exec(option)?.[1];
		const name = typeof inner === 'string' ? inner : flag;
		const described = name === undefined ? {} : { description: replacesText(text) };
		const references = referencesIn(text);
		const isElsewhere = (start: number, end: number) =>
			references.some((reference) => reference.start < end && start < reference.end);
		const span = secretsOf(path).find(
			({ kind, start, end }) => kind === 'placeholder' && !isElsewhere(start, end),
		);
		if (span) {
			const written = text.slice(span.start, span.end);
			const filled = addInput(span.wish, written, { password: true, ...(key !== 'env' && described) });
			return text.slice(0, span.start) + filled + text.slice(span.end);
		}
		const isOpen = /(^|=)(\.{3}|…)$/.test(text.trim()) || (key === 'env' && text.trim() === '');
		if (isOpen && name !== undefined)
			return text
				.trim()
				.replace(/(\.{3}|…)?$/, () =>
					addInput(environmentName(name), text, { password: nameVerdict(name) === 'secret' }),
				);
		if (key !== 'url' && otherPath.test(text)) {
			// `--folder=/path/to/it`, `type=bind,src=/path/to/it`
			const parts = text.includes('=') ? text.split(/([=,])/) : [text];
			return parts
				.map((part) => {
					if (!otherPath.test(part)) return part;
					const isFile = /\.\w{1,5}$/.test(part);
					const wish = key === 'args' ? (isFile ? 'FILE' : 'FOLDER') : environmentName(name ?? 'PATH');
					const isMore = key === 'args' && inputs.has(wish) && part === text;
					const isData = !isMore && !isFile && !isOwnCode(draft.entry, path);
					return addInput(wish, part, {
						description: replacesText(text),
						password: false,
						path: isFile ? 'file' : 'folder',
						...(isData && { default: `\${workspaceFolder}` }),
						// Only the first of several folders is required.
						...(isMore && { optional: true as const }),
					});
				})
				.join('');
		}
		return text.replace(new RegExp(blank, 'g'), (written, at: number) => {
			if (isElsewhere(at, at + written.length)) return written;
			const words = environmentName(written.replace(/^[<[{\s]*(your|my|insert|replace)[-_ ]/i, ''));
			const wish = key === 'env' && name !== undefined ? environmentName(name) : words;
			const isSecret =
				nameVerdict(wish) === 'secret' || (name !== undefined && nameVerdict(name) === 'secret');
			return addInput(wish, written, { description: replacesText(text), password: isSecret });
		});
	});
	return { ...draft, entry, inputs };
}

/**
 * Plans the changes that add proposed servers to a configuration with this text. Answers that are secret or look secret stay out of the file:
 * it refers to them as variables. `undefined`: the text cannot be changed.
 */
export function planAddition(
	{ drafts, questions }: Proposal,
	answers: InputAnswers,
	text: string | undefined,
	{ scope, platform }: AdditionContext,
): ImportPlan | undefined {
	const full = withSecrets(scope);
	const secret = new Map<string, string>();
	const plain = new Map<string, string>();
	const variables: ImportedSecret[] = [];
	for (const [key, { password }] of questions) {
		const answer = answers.get(key);
		if (answer === undefined) continue;
		const [, kind, name = ''] = /^(input|env):(.*)$/s.exec(key) ?? [];
		if (kind === 'env') variables.push({ name, value: answer });
		else (password && answer !== '' ? secret : plain).set(name, answer);
	}
	const filled = drafts.map((draft) => ({ ...draft, entry: filledIn(draft, plain) }));
	const env = { ...full.env, ...Object.fromEntries(variables.map(({ name, value }) => [name, value])) };
	const plan = planImport(convertServers(filled, { env, platform, answers: secret }), text, {
		...full,
		env,
	});
	return plan && { ...plan, secrets: [...plan.secrets, ...variables] };
}

/** The entry with the answers filled in, and without the optional arguments that have no answer. */
function filledIn({ entry, inputs }: ServerDraft, answers: InputAnswers): ServerJson {
	const isLeftOut = (word: string) =>
		inputsIn(word).some((id) => inputs.get(id)?.optional && !answers.has(id));
	const remainingEntry = {
		...entry,
		...(entry.args && { args: entry.args.filter((word) => !isLeftOut(word)) }),
	};
	return mapTexts(remainingEntry, (text) =>
		text.replace(/\$\{input:([^{}]*)\}/g, (written, id: string) => answers.get(id) ?? written),
	);
}
