import * as l10n from '@vscode/l10n';
import { clockTime, estimatedTokens, shownDate } from '../../chat/counts.ts';
import { shownParameters } from '../../chat/shownParameters.ts';
import { code, plain } from '../../common/markdown.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { masked, spansOfArguments } from '../../common/secrets/secretSpans.ts';
import { launchSecrets, type ServerLaunch } from '../../config/servers/launch.ts';
import {
	type Alteration,
	alterationsOfServer,
	alterationsOfTool,
} from '../../discovery/catalog/hiddenText.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { toolLook } from './looks.ts';
import { countsOf, nodeLook, type ServerNode, type ToolNode, usableTokens } from './nodes.ts';
import { ruleSentence, ruleSubject, ruleWords } from './permissionLabels.ts';

/** Characters of a failure. */
const failureLength = 2000;
/** Characters of a command line or URL. */
const launchLength = 300;
/** Dropped tools that are named; the log names all of them. */
const shownDropped = 5;

const shownRules = 5;

/** A tooltip in Markdown. It is made on demand: there are many rows, and the pointer rests on few. */
export function tooltipOf(node: ServerNode | ToolNode): string {
	return node.kind === 'tool' ? toolTooltip(node) : serverTooltip(node);
}

function serverTooltip(node: ServerNode): string {
	const { status, launch, why, place, rules = [], tools } = node;
	const { word } = nodeLook(node);
	const counts = [...countsOf(node), estimatedTokens(usableTokens(node))].join(' · ');
	return [
		`**${plain(status.name)}** — ${plain(word)}`,
		...(why ? [l10n.t('{0}: {1}.', word, plain(why))] : []),
		...failureOf(status),
		...(status.description ? [plain(status.description, 300)] : []),
		...serverHiddenTextNotes(
			status,
			tools.map(({ tool }) => tool),
		).map((words) => plain(words)),
		...(launch ? [launchLabel(launch)] : []),
		// A tooltip cuts long commands.
		...(status.state.kind === 'unapproved' ? [l10n.t('The review shows all that it would run.')] : []),
		...(place?.label === undefined ? [] : [l10n.t('Defined in: {0}', plain(place.label, 100))]),
		...(place?.replacesUsers
			? [l10n.t('Overrides the server of the same name in your user configuration.')]
			: []),
		...(status.listedAt === undefined ? [] : [l10n.t('{0}, listed {1}', counts, shownDate(status.listedAt))]),
		...rules.slice(0, shownRules).map((rule) => plain(`${ruleSubject(rule)}: ${ruleWords(rule, undefined)}`)),
		...(rules.length > shownRules ? [l10n.t('… and {0} more permissions', rules.length - shownRules)] : []),
		...(status.cached ? [l10n.t('Tools as of its last run. It starts when one of them is called.')] : []),
		...(status.cutShort ? [l10n.t('Some tools are missing: {0}', plain(status.cutShort, 300))] : []),
		...(status.listError
			? [l10n.t('Listing its tools failed: {0}', plain(status.listError.message, failureLength))]
			: []),
		...status.dropped
			.slice(0, shownDropped)
			.map(({ name, reason }) => l10n.t('Left out: {0} ({1})', code(name, 100), plain(reason, 200))),
		...(status.dropped.length > shownDropped
			? [l10n.t('… and {0} more left out (see log)', status.dropped.length - shownDropped)]
			: []),
	].join('\n\n');
}

function failureOf({ state, wantsRights }: ServerStatus): string[] {
	if (state.kind === 'forbidden') return [plain(state.ban.text)];
	const wants = state.kind === 'signed-out' ? state.error : wantsRights;
	if (wants) return [plain(wants.message, failureLength)];
	if (state.kind === 'starting') {
		const { lastOutput } = state.first ?? {};
		return lastOutput ? [l10n.t('Last output: {0}', plain(lastOutput, failureLength))] : [];
	}
	if (state.kind !== 'failed') return [];
	const next =
		state.nextAttemptAt === undefined ? [] : [l10n.t('Next attempt at {0}.', clockTime(state.nextAttemptAt))];
	return [plain(state.error.message, failureLength), ...next];
}

function capitalized(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What was removed from texts, a sentence for each kind. */
function hiddenTextNotes(alterations: readonly Alteration[]): readonly string[] {
	return alterations.map((alteration) =>
		alteration === 'hidden'
			? l10n.t('⚠ Hidden characters were removed. They may have been meant to mislead a model.')
			: l10n.t('⚠ Tags that could mislead a model were neutralized.'),
	);
}

/** The same for a server and its tools. */
function serverHiddenTextNotes(
	server: Parameters<typeof alterationsOfServer>[0],
	tools: readonly Tool[],
): readonly string[] {
	const altered = tools.filter((tool) => alterationsOfTool(tool).length > 0).length;
	const misleading = tools.filter((tool) => misleadingText(tool) !== '').length;
	return [
		...hiddenTextNotes(alterationsOfServer(server)),
		...(altered === 1 ? [l10n.t('⚠ Hidden characters or tags were removed from 1 tool.')] : []),
		...(altered > 1 ? [l10n.t('⚠ Hidden characters or tags were removed from {0} tools.', altered)] : []),
		...(misleading > 0 ? [l10n.t('⚠ Tools that instruct the model: {0}.', misleading)] : []),
	];
}

/** The command line or URL of a server, without secrets. */
export function launchLabel(launch: ServerLaunch): string {
	const redactor = new Redactor(launchSecrets(launch));
	if (launch.kind === 'stdio') {
		const { command, args } = launch.written ?? launch;
		const spans = spansOfArguments('', args);
		const words = [command, ...args.map((text, index) => masked(text, spans[index] ?? []))];
		return `stdio: ${code(redactor.hide(words.join(' ')), launchLength)}`;
	}
	// A query, user or password may hold keys.
	const { origin, pathname } = URL.parse(launch.url) ?? { origin: '', pathname: '' };
	const transport = launch.transport === 'sse' ? 'SSE' : 'HTTP';
	return `${transport}: ${code(redactor.hide(`${origin}${pathname}`), launchLength)}`;
}

/** Characters of a description. */
const descriptionLength = 1000;

function toolTooltip(node: ToolNode): string {
	const { tool } = node;
	const [description = ''] = (tool.description ?? tool.title ?? '').trim().split(/\n\s*\n/, 1);
	return [
		`**${plain(tool.id)}**`,
		plain(description || l10n.t('No description.'), descriptionLength),
		...toolFacts(node),
	].join('\n\n');
}

/** What is known about a tool besides its description, a paragraph each. */
export function toolFacts({ tool, state, why, unsent, calls, rule }: ToolNode): readonly string[] {
	const misleads = misleadingText(tool);
	return [
		...hiddenTextNotes(alterationsOfTool(tool)).map((words) => plain(words)),
		...(misleads === ''
			? []
			: [l10n.t('⚠ Its definition instructs the model, perhaps to mislead it: “{0}”', plain(misleads, 200))]),
		l10n.t('Parameters: {0}', plain(shownParameters(tool.inputSchema))),
		l10n.t('{0}: {1}.', capitalized(toolLook(state).word), plain(why)),
		...(unsent ? [l10n.t('Not sent to {0}: {1}', plain(unsent.model, 100), plain(unsent.reason, 300))] : []),
		...(rule ? [plain(ruleSentence(rule.permission))] : []),
		...(calls ? [calledWords(calls)] : []),
		l10n.t('≈{0} tokens (estimated) · models call it {1}', toolTokens(tool), code(tool.wireName)),
	];
}

function calledWords(calls: number): string {
	return calls === 1 ? l10n.t('Called once in this chat.') : l10n.t('Called {0} times in this chat.', calls);
}
