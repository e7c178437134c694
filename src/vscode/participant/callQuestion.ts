import * as l10n from '@vscode/l10n';
import { isResourceReader } from '../../chat/resources.ts';
import type { FlowedText } from '../../chat/results/resultFlow.ts';
import { writtenOut } from '../../common/exactText.ts';
import { countHidden, ends, exactCode, exactLines } from '../../common/exactValue.ts';
import { plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import {
	callHash,
	harmlessOf,
	mayDestroy,
	type PermissionRule,
	type PermissionScope,
	type PermissionSubject,
	permissionLimits,
} from '../../mcp/accepted/permissions.ts';
import { labelText } from '../ui/labelText.ts';
import { harmClaim } from '../ui/permissionLabels.ts';

/** A call that waits for the user. */
export interface WaitingCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	/** Texts in the arguments that came from other servers. */
	readonly flows: readonly FlowedText[];
	/** How many equal ones there are in the model's answer, where it is not the only one. */
	readonly times?: number;
	/** The id of our chat that it belongs to; absent for a call of another chat. */
	readonly chat?: string | undefined;
	/** The agent that wants to make it; absent for the chat's own model. */
	readonly agent?: string | undefined;
}

/** What the user can answer. */
export type CallChoice =
	| { readonly kind: 'once' }
	/** Each of several equal calls. */
	| { readonly kind: 'every' }
	| { readonly kind: 'skip' }
	| { readonly kind: 'trust' }
	/** To read what the question leaves out, and be asked again. */
	| { readonly kind: 'show' }
	| { readonly kind: 'rule'; readonly rule: Omit<PermissionRule, 'launch' | 'since'> };

/** An answer with the words of its button. */
export interface LabelledChoice {
	readonly label: string;
	readonly choice: CallChoice;
}

/** What decides which answers are offered. */
interface ChoiceFacts {
	/** A decision about further calls can be kept: the tool is one of a server's. */
	readonly canKeep: boolean;
	/** A permission would count for the next such call. */
	readonly canAllow: boolean;
	/** The server says that the tool only reads, and is not believed. */
	readonly isDoubted: boolean;
	/** All tools of the server. */
	readonly tools: readonly CatalogTool[];
}

/** Characters of a server's name on a button. */
const nameOnButton = 40;

/** The answers to a question, the first two in sight, a yes and a no: the editor shows the others in a menu of the second. */
export function callChoices(
	{ tool, args, times = 1, chat }: WaitingCall,
	{ canKeep, canAllow, isDoubted, tools }: ChoiceFacts,
): readonly LabelledChoice[] {
	const name = labelText(tool.server, nameOnButton);
	const rule = (
		label: string,
		subject: PermissionSubject,
		scope: PermissionScope,
		decision: PermissionRule['decision'] = 'allow',
	): LabelledChoice => ({
		label,
		choice: { kind: 'rule', rule: { decision, server: tool.server, subject, scope } },
	});
	const workspace = { kind: 'workspace' } as const;
	const here = chat === undefined ? undefined : ({ kind: 'chat', chat } as const);
	const once: LabelledChoice = { label: l10n.t('Allow Once'), choice: { kind: 'once' } };
	const skip: LabelledChoice = { label: l10n.t('Skip'), choice: { kind: 'skip' } };
	const more: readonly LabelledChoice[] = [
		...(leavesOut(args) ? [{ label: showAll(), choice: { kind: 'show' } } as const] : []),
		...(times > 1
			? [{ label: l10n.t('Allow Each of the {0} Calls', times), choice: { kind: 'every' } } as const]
			: []),
	];
	if (!canKeep || !isNameable(tool)) return [once, skip, ...more];
	const only = { kind: 'tool', tool: tool.name, definition: callHash(tool) } as const;
	const never = rule(l10n.t('Never Allow in This Workspace'), only, workspace, 'never');
	if (!canAllow) return [once, skip, ...more, never];
	const harmless = mayDestroy(tool) ? undefined : harmlessOf(tools, tool);
	const all =
		harmless && harmless.kind === 'server' && harmless.definitions.length > 1 ? harmless : undefined;
	return [
		once,
		skip,
		...more,
		...(here ? [rule(l10n.t('Allow in This Chat'), only, here)] : []),
		rule(l10n.t('Always Allow in This Workspace'), only, workspace),
		...(all && here
			? [rule(l10n.t('Allow All Tools of {0} in This Chat, Except Destructive Ones', name), all, here)]
			: []),
		...(all
			? [rule(l10n.t('Always Allow All Tools of {0}, Except Destructive Ones', name), all, workspace)]
			: []),
		...(isDoubted
			? [
					{
						label: l10n.t('Allow Read-Only Tools of {0} Without Asking', name),
						choice: { kind: 'trust' },
					} as const,
				]
			: []),
		never,
	];
}

/** Whether a rule about a tool could be kept. */
function isNameable({ server, name }: CatalogTool): boolean {
	return [server, name].every((text) => text !== '' && text.length <= permissionLimits.characters);
}

/** Characters of a server's name in the question. */
const nameInText = 60;
/** Characters of a misleading description. */
const excerptCharacters = 200;

/** What the user is to know before they answer, in Markdown. Nothing in it is a link, and nothing of a call is left out unsaid. */
export function questionText(
	{ tool, args, flows, times = 1, agent }: WaitingCall,
	isDoubted: boolean,
): string {
	const misleads = misleadingText(tool);
	const paragraphs = [
		...(agent === undefined
			? []
			: [l10n.t('The agent {0} asks for this call.', plain(writtenOut(agent), nameInText))]),
		exactCode(tool.id),
		harmClaim(tool),
		misleads === ''
			? ''
			: l10n.t(
					'⚠ Its description instructs the model: “{0}”',
					plain(writtenOut(misleads), excerptCharacters),
				),
		times > 1
			? l10n.t('The model asks for this {0} times in one answer. Allowed once, it runs once.', times)
			: '',
		...hiddenNotes(args),
		...flowNotes(flows),
		...argumentTexts(args),
		...(isDoubted ? [readingClaim(tool)] : []),
	];
	return paragraphs.filter(Boolean).join('\n\n');
}

/** Who says that a call only reads: of the tool that reads resources that is us, of all others their server. */
function readingClaim(tool: CatalogTool): string {
	const server = plain(writtenOut(tool.server), nameInText);
	return isResourceReader(tool)
		? l10n.t('MCP Discovery adds this tool to read resources of {0}.', server)
		: l10n.t('Marked read-only by {0}.', server);
}

/** What a call would carry on from other servers, in Markdown, a paragraph for each piece. */
export function flowNotes(flows: readonly FlowedText[]): readonly string[] {
	return flows.map(({ server, excerpt }) =>
		l10n.t(
			'Contains text that came from {0}: “{1}”',
			plain(writtenOut(server), nameInText),
			plain(writtenOut(excerpt)),
		),
	);
}

/** Arguments that are shown, and characters of a name. */
const shownArguments = 50;
const charactersOfName = 200;
/** Characters of an argument that is shown whole; of a longer one, so many of its beginning and its end. */
const charactersOfWhole = 2_000;
const charactersOfHead = 1_200;
const charactersOfTail = 600;

/** Whether a question leaves out some of the arguments. */
export function leavesOut(args: Readonly<Record<string, unknown>>): boolean {
	const entries = Object.entries(args);
	return (
		entries.length > shownArguments ||
		entries.some(
			([name, value]) => name.length > charactersOfName || valueText(value).length > charactersOfWhole,
		)
	);
}

function valueText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Which arguments have characters that nobody would see, or would take for others. */
function hiddenNotes(args: Readonly<Record<string, unknown>>): readonly string[] {
	return Object.entries(args).flatMap(([name, value]) => {
		const count = countHidden(name) + countHidden(valueText(value));
		if (count === 0) return [];
		const shown = plain(writtenOut(name), charactersOfName);
		return count === 1
			? [
					l10n.t(
						'⚠ **{0}** contains 1 hidden or look-alike character. It is written as {1}.',
						shown,
						escapeSample,
					),
				]
			: [
					l10n.t(
						'⚠ **{0}** contains {1} hidden or look-alike characters. They are written as {2}.',
						shown,
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
	if (entries.length === 0) return [l10n.t('It gets no arguments.')];
	const lines: string[] = [];
	const blocks: string[] = [];
	for (const [name, value] of entries.slice(0, shownArguments)) {
		const text = valueText(value);
		const shown = plain(writtenOut(name), charactersOfName);
		if (text.length > charactersOfWhole) blocks.push(...longText(shown, text));
		else if (/[\n\r]/.test(text)) blocks.push(`${shown}:`, exactLines(text));
		else lines.push(`- ${shown}: ${exactCode(text)}`);
	}
	const more = entries.length - shownArguments;
	const rest = more > 0 ? [l10n.t('… and {0} more arguments', more)] : [];
	const all = leavesOut(args)
		? [l10n.t('“{0}”, in the menu of this question, opens all of them.', showAll())]
		: [];
	return [...(lines.length > 0 ? [lines.join('\n')] : []), ...blocks, ...rest, ...all];
}

function longText(name: string, text: string): readonly string[] {
	const { head, tail, between } = ends(text, charactersOfHead, charactersOfTail);
	return [
		l10n.t('{0} ({1} characters):', name, text.length),
		exactLines(head),
		l10n.t('… {0} more characters, then the end:', between),
		exactLines(tail),
	];
}

function showAll(): string {
	return l10n.t('Show All Arguments');
}
