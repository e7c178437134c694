import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exactText } from '../../common/exactText.ts';
import { readKind, readPasted } from '../../config/add/pasted.ts';
import type { Answers, Proposal } from '../../config/add/proposal.ts';
import { type DraftInput, type Drafts, launchText, type ServerDraft } from '../../config/add/serverDraft.ts';
import { serverNameFault } from '../../config/file/entryNames.ts';
import { commands } from '../ui/ids.ts';
import { askForm } from '../ui/inputs/askForm.ts';
import { noAnswers, valuesOf } from '../ui/inputs/formAnswers.ts';
import type { Parameter } from '../ui/inputs/parameter.ts';
import { asked, askText } from '../ui/inputs/quickInputs.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle } from '../ui/messages.ts';
import { keepOrder } from '../ui/unsupported.ts';

const nameLength = 100;
const lineLength = 300;

/** What the user has chosen in the first list. */
export type AddChoice =
	| { readonly kind: 'server'; readonly found: ServerDraft }
	| { readonly kind: 'import' }
	| { readonly kind: 'cancelled' };

type ServerKind = Parameters<typeof readKind>[0];

/** The same, before a package or a name has been asked for. */
type WayChoice =
	| AddChoice
	| { readonly kind: 'byKind'; readonly of: ServerKind }
	| { readonly kind: 'rename'; readonly found: ServerDraft };

interface AddItem extends vscode.QuickPickItem {
	readonly leadsTo?: WayChoice;
}

/** What was typed or pasted, kept for when the user comes back. */
export interface TypedText {
	value: string;
	/** Several lines as they were copied: the box, which has one line, drops line breaks. */
	lines?: string;
}

/** Lets the user paste what a readme says, or choose a kind of server. */
export async function chooseServer(typed: TypedText): Promise<AddChoice> {
	for (;;) {
		const choice = await pickWay(typed);
		if (choice.kind === 'byKind') {
			const found = await askByKind(choice.of, typed.value);
			if (found === 'cancelled') return { kind: 'cancelled' };
			if (found !== 'back') return { kind: 'server', found };
		} else if (choice.kind === 'rename') {
			const found = await askName(choice.found);
			if (found) return { kind: 'server', found };
		} else return choice;
	}
}

async function pickWay(typed: TypedText): Promise<WayChoice> {
	const pick = vscode.window.createQuickPick<AddItem>();
	const rename = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename…') };
	keepOrder(pick);
	pick.placeholder = l10n.t('Paste a command, URL, JSON, link or readme, or select a kind of server');
	const draw = () => {
		const text = typed.lines ?? typed.value;
		pick.items = text.trim() === '' ? waysByHand() : foundItems(readPasted(text), rename);
	};
	const follow = async (value: string) => {
		const grown = value.length - typed.value.length;
		Object.assign(typed, { value, lines: undefined });
		draw();
		if (grown < shortestPaste) return;
		const copied = await vscode.env.clipboard.readText().then(undefined, () => '');
		// The clipboard has the line breaks, if it is what was pasted just now.
		if (typed.value !== value || !/[\r\n]/.test(copied) || !isJoined(copied, value)) return;
		typed.lines = copied;
		draw();
	};
	pick.onDidChangeValue(follow);
	pick.value = typed.value;
	draw();
	const reply = await asked<WayChoice>(pick, { title: dialogTitle(commands.addServer) }, (answer) => {
		pick.onDidAccept(() => {
			const leadsTo = pick.selectedItems[0]?.leadsTo;
			if (leadsTo) answer(leadsTo);
		});
		pick.onDidTriggerItemButton(({ item }) => {
			if (item.leadsTo?.kind === 'server') answer({ kind: 'rename', found: item.leadsTo.found });
		});
	});
	return reply.kind === 'answer' ? reply.answer : { kind: 'cancelled' };
}

/** UTF-16 units: a value that grows by this many at once was pasted, not typed. */
const shortestPaste = 8;

/** Whether `value` is `copied` with its line breaks dropped or replaced by spaces. */
function isJoined(copied: string, value: string): boolean {
	return copied.replace(/\s+/g, '') === value.replace(/\s+/g, '');
}

function waysByHand(): AddItem[] {
	const kind = (of: ServerKind, icon: string, label: string, description: string): AddItem => ({
		label,
		description,
		iconPath: new vscode.ThemeIcon(icon),
		leadsTo: { kind: 'byKind', of },
	});
	return [
		kind('npm', 'package', l10n.t('npm Package…'), l10n.t('runs with npx')),
		kind('python', 'symbol-namespace', l10n.t('Python Package…'), l10n.t('runs with uvx')),
		kind('container', 'vm', l10n.t('Docker Image…'), l10n.t('runs with docker')),
		kind('address', 'globe', l10n.t('URL…'), l10n.t('remote server')),
		{
			label: l10n.t('Import from Other Programs or a File…'),
			description: l10n.t('VS Code, Claude, Cursor and others'),
			iconPath: new vscode.ThemeIcon('cloud-download'),
			leadsTo: { kind: 'import' },
		},
	];
}

function foundItems({ servers, faults, words }: Drafts, rename: vscode.QuickInputButton): AddItem[] {
	const guessed = (['npm', 'python'] as const).flatMap((kind) => {
		const description = kind === 'npm' ? l10n.t('npm package') : l10n.t('Python package');
		const named = words === undefined ? [] : readKind(kind, words).servers;
		return named.map((found) => ({ ...serverItem(found, rename), description }));
	});
	return [
		...servers.map((found) => serverItem(found, rename)),
		...faults.map((fault) => ({
			label: labelText(fault, lineLength),
			iconPath: new vscode.ThemeIcon('warning'),
			alwaysShow: true,
		})),
		...guessed,
	];
}

/** The row of a server: its name, and exactly what it would run. */
function serverItem(found: ServerDraft, rename: vscode.QuickInputButton): AddItem {
	return {
		label: labelText(found.name, nameLength),
		detail: labelText(launchText(found.entry, exactWord), lineLength),
		iconPath: new vscode.ThemeIcon('add'),
		alwaysShow: true,
		buttons: [rename],
		leadsTo: { kind: 'server', found },
	};
}

/** A word of a command or a URL, as exact as in the review; a missing value appears as `<name>`. */
function exactWord(word: string): string {
	return exactText(word).replace(/\$\{input:([^{}]*)\}/g, '<$1>');
}

async function askByKind(kind: ServerKind, before: string): Promise<ServerDraft | 'back' | 'cancelled'> {
	const titles: Readonly<Record<ServerKind, string>> = {
		npm: l10n.t('npm package name'),
		python: l10n.t('Python package name'),
		container: l10n.t('Docker image name'),
		address: l10n.t('Server URL'),
	};
	const examples: Readonly<Record<ServerKind, string>> = {
		npm: '@modelcontextprotocol/server-everything',
		python: 'mcp-server-git',
		container: 'mcp/time',
		address: 'https://example.com/mcp',
	};
	const reply = await askText({
		title: dialogTitle(commands.addServer),
		canGoBack: true,
		prompt: titles[kind],
		placeholder: l10n.t('for example {0}', examples[kind]),
		text: before,
		check: async (text) => readKind(kind, text).faults[0],
	});
	if (reply.kind === 'back') return 'back';
	const found = reply.kind === 'answer' ? readKind(kind, reply.text).servers[0] : undefined;
	return found ?? 'cancelled';
}

async function askName(found: ServerDraft): Promise<ServerDraft | undefined> {
	const reply = await askText({
		title: dialogTitle(commands.addServer),
		canGoBack: true,
		prompt: l10n.t('Server name. Its tools’ names start with it.'),
		placeholder: '',
		text: found.name,
		check: async (text) => serverNameFault(text.trim()),
	});
	if (reply.kind !== 'answer') return undefined;
	return { ...found, name: reply.text.trim() };
}

/** Asks for required values one after the other, each of which can be skipped and set later, and for optional ones that the user selects. */
export async function askInputs(
	title: string,
	asked: Proposal['asked'],
): Promise<Answers | 'back' | 'cancelled'> {
	const keyOf = new Map<string, string>();
	const parameters = [...asked].map(([key, input]) => {
		const short = labelText(key.slice(key.indexOf(':') + 1), nameLength);
		const name = keyOf.has(short) ? key : short;
		keyOf.set(name, key);
		return parameterOf(name, input);
	});
	const answers = await askForm({ title, canLeave: true }, parameters, noAnswers, (parameter) => ({
		// Whoever selects an optional value enters it.
		parameter: { ...parameter, required: true },
		canSkip: parameter.required,
		faultOf: async () => undefined,
		...((parameter.secret || keyOf.get(parameter.name)?.startsWith('env:')) && {
			note: l10n.t('Stored in VS Code’s secret storage.'),
		}),
	}));
	if (typeof answers === 'string') return answers;
	return new Map(
		valuesOf(parameters, answers).map(([name, value]) => [keyOf.get(name) ?? '', String(value)]),
	);
}

function parameterOf(name: string, asked: DraftInput): Parameter {
	const { description = '', password, options, optional, default: usual } = asked;
	return {
		name,
		description: labelText(description, lineLength),
		required: !optional,
		input: options
			? { kind: 'choice', options: options.map(({ value, label = value }) => ({ value, label })) }
			: { kind: 'text' },
		...(usual !== undefined && { default: usual }),
		secret: password,
	};
}
