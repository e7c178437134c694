import * as l10n from '@vscode/l10n';
import { isResourceReader } from '../../chat/resources.ts';
import type { FlowedText } from '../../chat/results/resultFlow.ts';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import { cut } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import {
	callHash,
	claimsToDestroy,
	harmlessOf,
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
	/** The id of our chat that it belongs to; absent for a call of another chat. */
	readonly chat?: string | undefined;
	/** The agent that wants to make it; absent for the chat's own model. */
	readonly agent?: string | undefined;
}

/** What the user can answer. */
export type CallChoice =
	| { readonly kind: 'once' }
	| { readonly kind: 'skip' }
	| { readonly kind: 'trust' }
	| { readonly kind: 'rule'; readonly rule: Omit<PermissionRule, 'launch' | 'since'> };

/** An answer with the words of its button. */
export interface LabelledChoice {
	readonly label: string;
	readonly choice: CallChoice;
}

/** What decides which answers are offered. */
interface ChoiceFacts {
	/** A permission would count for the next such call. */
	readonly canAllow: boolean;
	/** The server says that the tool only reads, and is not believed. */
	readonly isDoubted: boolean;
	/** All tools of the server. */
	readonly tools: readonly CatalogTool[];
}

/** Characters of a server's name on a button. */
const nameOnButton = 40;

/** The answers to a question, the first two in sight: the editor shows the others in a menu of the second. */
export function callChoices(
	{ tool, chat }: WaitingCall,
	{ canAllow, isDoubted, tools }: ChoiceFacts,
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
	if (!isNameable(tool)) return [once, skip];
	const only = { kind: 'tool', tool: tool.name, definition: callHash(tool) } as const;
	const never = rule(l10n.t('Never Allow in This Workspace'), only, workspace, 'never');
	if (!canAllow) return [once, skip, never];
	const harmless = claimsToDestroy(tool) ? undefined : harmlessOf(tools, tool);
	const all =
		harmless && harmless.kind === 'server' && harmless.definitions.length > 1 ? harmless : undefined;
	return [
		once,
		...(here ? [rule(l10n.t('Allow in This Chat'), only, here)] : []),
		skip,
		rule(l10n.t('Always Allow in This Workspace'), only, workspace),
		...(all && here
			? [rule(l10n.t('Allow All Tools of {0} in This Chat, Except Destructive Ones', name), all, here)]
			: []),
		...(all
			? [rule(l10n.t('Always Allow All Tools of {0}, Except Destructive Ones', name), all, workspace)]
			: []),
		...(isDoubted
			? [{ label: l10n.t('Trust Read-Only Marks of {0}', name), choice: { kind: 'trust' } } as const]
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

/** What the user is to know before they answer, in Markdown. Nothing in it is a link, and nothing of a call is left out unsaid. */
export function questionText({ tool, args, flows, agent }: WaitingCall, isDoubted: boolean): string {
	const paragraphs = [
		...(agent === undefined ? [] : [l10n.t('The agent {0} asks for this call.', plain(agent, nameInText))]),
		code(tool.id),
		harmClaim(tool),
		...flowNotes(flows),
		...argumentTexts(args),
		...(isDoubted ? [readingClaim(tool)] : []),
	];
	return paragraphs.filter(Boolean).join('\n\n');
}

/** Who says that a call only reads: of the tool that reads resources that is us, of all others their server. */
function readingClaim(tool: CatalogTool): string {
	const server = plain(tool.server, nameInText);
	return isResourceReader(tool)
		? l10n.t('MCP Discovery adds this tool to read resources of {0}.', server)
		: l10n.t('Marked read-only by {0}.', server);
}

/** What a call would carry on from other servers, in Markdown, a paragraph for each piece. */
export function flowNotes(flows: readonly FlowedText[]): readonly string[] {
	return flows.map(({ server, excerpt }) =>
		l10n.t('Contains text that came from {0}: “{1}”', plain(server, nameInText), plain(excerpt)),
	);
}

/** Characters of an argument that stand in its line; what is longer, or has several lines, is a block of its own. */
const charactersInLine = 200;
/** Characters of such a block; what more there is, is counted. And arguments that are shown. */
const charactersInBlock = 4_000;
const shownArguments = 50;

function argumentTexts(args: Readonly<Record<string, unknown>>): readonly string[] {
	const entries = Object.entries(args);
	if (entries.length === 0) return [l10n.t('It gets no arguments.')];
	const lines: string[] = [];
	const blocks: string[] = [];
	for (const [name, value] of entries.slice(0, shownArguments)) {
		const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
		const shown = plain(name, charactersInLine);
		const isLong = text.length > charactersInLine || /[\n\r]/.test(text);
		if (isLong) blocks.push(`${shown}:\n\n${longText(text)}`);
		else lines.push(`- ${shown}: ${code(text)}`);
	}
	const more = entries.length - shownArguments;
	const rest = more > 0 ? [l10n.t('… and {0} more arguments', more)] : [];
	return [...(lines.length > 0 ? [lines.join('\n')] : []), ...blocks, ...rest];
}

function longText(text: string): string {
	const block = codeBlock(cut(text, charactersInBlock));
	const more = text.length - charactersInBlock;
	return more > 0 ? `${block}\n\n${l10n.t('… and {0} more characters', more)}` : block;
}
