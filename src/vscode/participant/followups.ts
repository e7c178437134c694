import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { withoutAddress } from '../../chat/chatHistory.ts';
import type { LoopEvent } from '../../chat/loopEvent.ts';
import { plain } from '../../common/markdown.ts';
import { nameLimit, oneLine } from '../../common/text.ts';
import type { ProposalSource } from '../../discovery/habits/rules.ts';
import { ids } from '../ui/ids.ts';
import { suggestionLabels } from '../ui/suggestionLabels.ts';
import { hasAttachments } from './attachments.ts';
import type { NextFacts, ResultMetadata } from './history.ts';

/** Whether a message says nothing, so that a greeting is the answer: no model is asked. */
export function isGreeting(request: Pick<vscode.ChatRequest, 'prompt' | 'command' | 'references'>): boolean {
	return (
		request.command === undefined && withoutAddress(request.prompt).trim() === '' && !hasAttachments(request)
	);
}

/** What `@discovery` is for, in a few sentences. */
export function greetingText(): string {
	return `${l10n.t(
		'{0} finds the tools that a task needs among those of your MCP servers, loads them for this chat and calls them. What can change something asks you first. Any model will do; the Offline Planner needs no account and no key.',
		'**@discovery**',
	)}\n\n`;
}

/** What comes next, where the servers may run. */
export function beginningText(): string {
	return l10n.t('Say what you want done, or pick a suggestion above the input.');
}

/**
 * What can be clicked after an answer. `prompts`: those of the configuration; `undefined` where there is nothing to ask yet, because
 * the workspace is not trusted or has no configuration.
 */
export function followups(
	{ called = [], outcome, stopped, next = {} }: ResultMetadata,
	prompts: readonly string[] | undefined,
): vscode.ChatFollowup[] {
	// Once the user has pressed Stop, the editor takes no more text of an answer, but it still asks for these. So the first one says that the
	// answer was stopped, and goes on with it.
	const goingOn = stopped
		? [{ prompt: l10n.t('Continue'), label: l10n.t('You stopped this answer. Continue?') }]
		: [];
	const steps = [...goingOn, ...nextSteps(next), ...(called.length > 0 ? [whatIsLoaded()] : [])];
	if (steps.length > 0) return steps.slice(0, mostFollowups);
	if (!outcome || !prompts) return [];
	// A message to which nothing could be done yet may have been one of the prompts: they are offered again, and nothing else is.
	if (prompts.length > 0 || outcome === 'notReady') return prompts.map(promptFollowup);
	return [
		{ prompt: '', command: 'tools', label: l10n.t('Which tools are there?') },
		{ prompt: l10n.t('read a file'), command: 'find', label: l10n.t('Find a tool to read a file') },
		whatIsLoaded(),
	];
}

/** Updates the facts for the next step by an event of the loop. */
export function noted(facts: NextFacts, event: LoopEvent): NextFacts {
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

const mostFollowups = 3;

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
					{ prompt: '', command: 'tools', label: l10n.t('Which tools are there?') },
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

function whatIsLoaded(): vscode.ChatFollowup {
	return { prompt: '', command: 'context', label: l10n.t('What is loaded now?') };
}

/** The editor reads labels as Markdown. */
function promptFollowup(prompt: string): vscode.ChatFollowup {
	return { prompt, label: plain(prompt) };
}

/** An answer offers the best; the context page has them all. */
const offeredSuggestions = 3;

/** Says at the end of an answer what past chats speak for, each with a button that does it. */
export function offerSuggestions(
	source: ProposalSource,
	stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>,
): void {
	const suggestions = source.suggestions().slice(0, offeredSuggestions);
	if (suggestions.length > 0) {
		stream.markdown(`\n\n${l10n.t('**Suggestions** from your past chats:')}`);
	}
	for (const suggestion of suggestions) {
		const { title, sentence } = suggestionLabels(suggestion);
		stream.markdown(`\n\n${l10n.t('{0}: {1}', plain(title), plain(sentence))}`);
		stream.button({ command: ids.takeSuggestion, title, arguments: [suggestion.id] });
	}
}

/** Does what a button suggests. The button may be in an old answer, for something that is done, or that does not hold any more. */
export async function takeSuggestion(source: ProposalSource, id: unknown): Promise<void> {
	const suggestion = source.suggestions().find((one) => one.id === id);
	if (!suggestion) throw new Error(l10n.t('this suggestion was already taken or no longer applies.'));
	await source.take(suggestion);
}
