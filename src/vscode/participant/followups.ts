import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { withoutAddress } from '../../chat/chatHistory.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { plain } from '../../common/markdown.ts';
import { nameLimit, oneLine } from '../../common/text.ts';
import type { Configuration } from '../core/configuration.ts';
import { hasAttachments } from './attachments.ts';
import type { Readiness } from './readiness.ts';
import { metadataIn, type NextFacts, type ResultMetadata } from './resultMetadata.ts';

/** Whether a message is empty, so that the answer is a greeting, without a model. */
export function isGreeting(request: Pick<vscode.ChatRequest, 'prompt' | 'command' | 'references'>): boolean {
	return (
		request.command === undefined && withoutAddress(request.prompt).trim() === '' && !hasAttachments(request)
	);
}

/** `guide`: a link to the user guide. */
export function greetingText(guide: string): string {
	return `${l10n.t(
		'{0} finds the tools that a task needs on your MCP servers, loads them for this chat, and calls them. It asks you before each call, until you allow the tool. It works with any model; the Offline Planner needs no account or key. [User guide]({1})',
		'**@discovery**',
		guide,
	)}\n\n`;
}

export function beginningText(): string {
	return l10n.t('Type what you want done, or pick a suggestion.');
}

/**
 * What can be clicked after an answer. `prompts`: of the configuration; `undefined` if the workspace is untrusted or has no configuration. As
 * long as a chat contains nothing else, the prompts that were not used yet stay. `earlierPrompts`: of the chat.
 */
export function followups(
	{ called = [], outcome, stopped, next = {}, asked: last }: ResultMetadata,
	prompts: readonly string[] | undefined,
	earlierPrompts: readonly string[] = [],
): vscode.ChatFollowup[] {
	// After Stop, VS Code takes no more text of an answer, but still asks for followups. So the first one says that the answer was
	// stopped, and continues it.
	const goingOn = stopped
		? [{ prompt: l10n.t('Continue'), label: l10n.t('You stopped this answer. Continue?') }]
		: [];
	const steps = [
		...goingOn,
		...nextSteps(next),
		...(called.length > 0 ? [whatIsLoaded()] : []),
		...(last === undefined ? [] : unused(prompts ?? [], [...earlierPrompts, last])),
	];
	if (steps.length > 0) return steps.slice(0, maxFollowups);
	if (!outcome || !prompts) return [];
	// A message that came too early may have been one of these prompts, so offers them again.
	if (prompts.length > 0 || outcome === 'notReady') return prompts.map(promptFollowup);
	return [whichTools(), whatIsLoaded()];
}

/** The prompts that a chat has not used, if it has used nothing else. */
function unused(
	prompts: readonly string[],
	earlierPrompts: readonly string[],
): readonly vscode.ChatFollowup[] {
	const written = earlierPrompts.map((prompt) => withoutAddress(prompt).trim()).filter(Boolean);
	if (!written.every((prompt) => prompts.includes(prompt))) return [];
	return prompts.filter((prompt) => !written.includes(prompt)).map(promptFollowup);
}

/**
 * What can be clicked after a stored answer. Suggestions for a first request appear once a server can be used: until then, a click on one could
 * only be refused. Prompts of the configuration come only from trusted workspaces.
 */
export async function followupsWhenReady(
	stored: unknown,
	earlierPrompts: readonly string[],
	token: vscode.CancellationToken,
	readiness: Readiness,
	configFile: Configuration,
): Promise<vscode.ChatFollowup[]> {
	const metadata = metadataIn(stored);
	if (metadata.outcome && !(await readiness.waitUntilReady(token))) return [];
	return followups(metadata, configFile.inForce?.config.prompts, earlierPrompts);
}

/** Updates the facts for the next step by an event of the loop. */
export function updatedFacts(facts: NextFacts, event: LoopEvent): NextFacts {
	if (event.type === 'searchFinished' && event.outcome.ok) {
		const { nothingFor: _past, ...rest } = facts;
		const { hits, query } = event.outcome;
		return hits.length === 0 && query.trim() !== ''
			? { ...rest, nothingFor: oneLine(query, nameLimit) }
			: rest;
	}
	if (event.type !== 'toolFinished' || !event.tool || event.result.declined) return facts;
	const { failed: _failed, ...rest } = facts;
	return event.result.isError ? { ...rest, failed: event.tool.id } : rest;
}

const maxFollowups = 3;

function nextSteps({ nothingFor, failed }: NextFacts): readonly vscode.ChatFollowup[] {
	return [
		...(nothingFor === undefined
			? []
			: [
					{
						prompt: nothingFor,
						command: 'find',
						label: plain(l10n.t('Show the closest tools for “{0}”', nothingFor)),
					},
					whichTools(),
				]),
		...(failed === undefined
			? []
			: [
					{
						prompt: failed,
						command: 'describe',
						label: plain(l10n.t('What arguments does {0} take?', failed)),
					},
				]),
	];
}

function whichTools(): vscode.ChatFollowup {
	return { prompt: '', command: 'tools', label: l10n.t('Which tools are available?') };
}

function whatIsLoaded(): vscode.ChatFollowup {
	return { prompt: '', command: 'context', label: l10n.t('What is loaded now?') };
}

/** The editor reads labels as Markdown. */
function promptFollowup(prompt: string): vscode.ChatFollowup {
	return { prompt, label: plain(prompt) };
}
