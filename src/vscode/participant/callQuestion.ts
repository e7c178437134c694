import * as l10n from '@vscode/l10n';
import type { CallConcern } from '../../chat/callConcern.ts';
import { wholeNumber } from '../../chat/counts.ts';
import { isResourceReader } from '../../chat/resources.ts';
import { assertNever } from '../../common/assertNever.ts';
import { writtenOut } from '../../common/exactText.ts';
import { countHidden, exactCode, exactLines, textEnds } from '../../common/exactValue.ts';
import { code, plain } from '../../common/markdown.ts';
import { nameList } from '../../common/nameList.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import {
	callHash,
	type PermissionRule,
	type PermissionScope,
	permissionLimits,
} from '../../mcp/accepted/permissions.ts';
import { labelText } from '../ui/labelText.ts';
import { harmClaim } from '../ui/permissionLabels.ts';

/** A call that needs a decision. */
export interface WaitingCall {
	readonly tool: CatalogTool;
	/** The tool is VS Code's own: no rule is kept for it. */
	readonly isOfEditor?: boolean;
	readonly args: Readonly<Record<string, unknown>>;
	readonly concerns: readonly CallConcern[];
	/** The servers whose results the chat has read. */
	readonly readFrom: readonly string[];
	/** How many equal calls the answer contains, if more than one. */
	readonly times?: number;
	/** Id of our chat; absent for a call from another chat. */
	readonly chat?: string | undefined;
	/** Absent: the chat's own model makes the call. */
	readonly agent?: string | undefined;
}

export type CallChoice =
	| { readonly kind: 'once' }
	| { readonly kind: 'skip' }
	| { readonly kind: 'trust' }
	/** Shows what the question leaves out, then asks again. */
	| { readonly kind: 'show' }
	| { readonly kind: 'rule'; readonly rule: Omit<PermissionRule, 'launch' | 'since'> };

export interface LabelledChoice {
	readonly label: string;
	readonly choice: CallChoice;
}

/** What decides which answers are offered. */
interface ChoiceFacts {
	/** A rule that allows the tool would have an effect. */
	readonly canAllow: boolean;
	/** The server marks the tool read-only, but its annotations are not trusted. */
	readonly isDoubted: boolean;
}

const nameOnButton = 40;

/** The answers to a question. VS Code shows the first two, a yes and a no, and puts the others into a menu. */
export function callChoices(
	{ tool, isOfEditor, args, chat }: WaitingCall,
	{ canAllow, isDoubted }: ChoiceFacts,
): readonly LabelledChoice[] {
	const rule = (
		label: string,
		scope: PermissionScope,
		decision: PermissionRule['decision'] = 'allow',
	): LabelledChoice => {
		const { server, name } = tool;
		const rule = { decision, server, tool: name, definition: callHash(tool), scope };
		return { label, choice: { kind: 'rule', rule } };
	};
	const workspace = { kind: 'workspace' } as const;
	const once: LabelledChoice = { label: l10n.t('Allow Once'), choice: { kind: 'once' } };
	const skip: LabelledChoice = { label: l10n.t('Skip'), choice: { kind: 'skip' } };
	const more: readonly LabelledChoice[] = isAbridged(args)
		? [{ label: showAll(), choice: { kind: 'show' } }]
		: [];
	if (isOfEditor || !isNameable(tool)) return [once, skip, ...more];
	const never = rule(l10n.t('Never Allow in This Workspace'), workspace, 'never');
	if (!canAllow) return [once, skip, ...more, never];
	const readOnly: LabelledChoice = {
		label: l10n.t(
			'Allow Read-Only Tools of {0} Without Asking',
			labelText(writtenOut(tool.server), nameOnButton),
		),
		choice: { kind: 'trust' },
	};
	return [
		once,
		skip,
		...more,
		...(chat === undefined ? [] : [rule(l10n.t('Allow in This Chat'), { kind: 'chat', chat })]),
		rule(l10n.t('Always Allow in This Workspace'), workspace),
		...(isDoubted ? [readOnly] : []),
		never,
	];
}

/** Whether a rule can name the tool. */
function isNameable({ server, name }: CatalogTool): boolean {
	return [server, name].every((text) => text !== '' && text.length <= permissionLimits.characters);
}

/** Characters of a name in the question. */
const nameInText = 60;
/** Characters of a misleading description. */
const excerptCharacters = 200;

/** The question in Markdown. It contains no links, and says so if it leaves out part of a call. */
export function questionText(
	{ tool, args, concerns, readFrom, times = 1, chat, agent }: WaitingCall,
	isDoubted: boolean,
): string {
	const misleads = misleadingText(tool);
	const paragraphs = [
		...(agent === undefined ? [] : [l10n.t('Requested by agent {0}.', plain(writtenOut(agent), nameInText))]),
		exactCode(tool.id),
		harmClaim(tool),
		misleads === ''
			? ''
			: l10n.t(
					'⚠ Its description instructs the model: “{0}”',
					plain(writtenOut(misleads), excerptCharacters),
				),
		times > 1 ? l10n.t('The model requested this {0} times in one answer. It runs once.', times) : '',
		...hiddenNotes(args),
		...concerns.map(concernNote),
		readNote(
			readFrom.filter((server) => server !== tool.server),
			chat,
		),
		...argumentTexts(args),
		...(isDoubted ? [readingClaim(tool)] : []),
	];
	return paragraphs.filter(Boolean).join('\n\n');
}

/** We add the tool that reads resources; all others come from their server. */
function readingClaim(tool: CatalogTool): string {
	const server = serverName(tool.server);
	return isResourceReader(tool)
		? l10n.t('MCP Discovery adds this tool to read resources of {0}.', server)
		: l10n.t('Marked read-only by {0}.', server);
}

/** Servers that the question names. */
const namedServers = 10;

/** A server's name as code, so that nobody reads it as a word of the sentence. */
function serverName(server: string): string {
	return code(writtenOut(server), nameInText);
}

function serverNames(servers: readonly string[]): string {
	return nameList(servers.map(serverName), namedServers);
}

/** `servers`: other than the called one. VS Code does not tell other chats apart. */
function readNote(servers: readonly string[], chat: string | undefined): string {
	if (servers.length === 0) return '';
	return chat === undefined
		? l10n.t('Chats in this workspace have read results from {0}.', serverNames(servers))
		: l10n.t('This chat has read results from {0}.', serverNames(servers));
}

/** In Markdown. */
export function concernNote(concern: CallConcern): string {
	switch (concern.kind) {
		case 'text':
			return l10n.t(
				'⚠ **Contains text from {0}:** “{1}”',
				serverNames([concern.server]),
				plain(writtenOut(concern.excerpt)),
			);
		case 'uncompared':
			return uncomparedNote(concern);
		case 'unchecked':
			return l10n.t(
				'⚠ The arguments could not be checked: {0}.',
				plain(writtenOut(concern.reason), excerptCharacters),
			);
		default:
			return assertNever(concern);
	}
}

function uncomparedNote(concern: CallConcern & { readonly kind: 'uncompared' }): string {
	switch (concern.why) {
		case 'long':
			return l10n.t('⚠ The arguments are too long to check for text from {0}.', serverNames(concern.servers));
		case 'forgotten':
			return l10n.t(
				'⚠ Older results from {0} were not checked: there are too many to remember.',
				serverNames(concern.servers),
			);
		case 'unreadable':
			return l10n.t('⚠ Earlier results were not checked: a stored file cannot be read.');
		default:
			return assertNever(concern);
	}
}

/** Arguments that are shown, and characters of a name. */
const shownArguments = 50;
const charactersOfName = 200;
/** Up to this many characters an argument is shown whole; of a longer one, only its head and tail. */
const charactersOfWhole = 2_000;
const charactersOfHead = 1_200;
const charactersOfTail = 600;

/** Whether the question leaves out part of the arguments. */
function isAbridged(args: Readonly<Record<string, unknown>>): boolean {
	const entries = Object.entries(args);
	return (
		entries.length > shownArguments ||
		entries.some(
			([name, value]) => name.length > charactersOfName || valueText(value).length > charactersOfWhole,
		)
	);
}

/** Strings that are ambiguous without quotes: an empty string, a number, `true`, `false`, `null`, or a string in quotes. */
const needsQuotes = /^(?:|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|"[^\n]*")$/i;

function valueText(value: unknown): string {
	return typeof value === 'string' && !needsQuotes.test(value) ? value : (JSON.stringify(value) ?? '');
}

/** Which arguments contain invisible or look-alike characters. */
function hiddenNotes(args: Readonly<Record<string, unknown>>): readonly string[] {
	return Object.entries(args).flatMap(([name, value]) => {
		const count = countHidden(name) + countHidden(valueText(value));
		if (count === 0) return [];
		const shownName = plain(writtenOut(name), charactersOfName);
		return count === 1
			? [
					l10n.t(
						'⚠ **{0}** contains 1 hidden or look-alike character. It is written as {1}.',
						shownName,
						escapeSample,
					),
				]
			: [
					l10n.t(
						'⚠ **{0}** contains {1} hidden or look-alike characters. They are written as {2}.',
						shownName,
						count,
						escapeSample,
					),
				];
	});
}

/** How such characters are written. */
const escapeSample = '`\\u{…}`';

function argumentTexts(args: Readonly<Record<string, unknown>>): readonly string[] {
	const entries = Object.entries(args);
	if (entries.length === 0) return [l10n.t('No arguments.')];
	const lines: string[] = [];
	const blocks: string[] = [];
	for (const [name, value] of entries.slice(0, shownArguments)) {
		const text = valueText(value);
		const shownName = plain(writtenOut(name), charactersOfName);
		if (text.length > charactersOfWhole) blocks.push(...longText(shownName, text));
		else if (/[\n\r]/.test(text)) blocks.push(`${shownName}:`, exactLines(text));
		else lines.push(`- ${shownName}: ${exactCode(text)}`);
	}
	const more = entries.length - shownArguments;
	const rest = more > 0 ? [l10n.t('… and {0} more arguments', wholeNumber(more))] : [];
	const all = isAbridged(args) ? [l10n.t('To see all of them, select “{0}” in the menu.', showAll())] : [];
	return [...(lines.length > 0 ? [lines.join('\n')] : []), ...blocks, ...rest, ...all];
}

function longText(name: string, text: string): readonly string[] {
	const { head, tail, between } = textEnds(text, charactersOfHead, charactersOfTail);
	return [
		l10n.t('{0} ({1} characters):', name, wholeNumber(text.length)),
		exactLines(head),
		l10n.t('… {0} more characters …', wholeNumber(between)),
		exactLines(tail),
	];
}

function showAll(): string {
	return l10n.t('Show All Arguments');
}
