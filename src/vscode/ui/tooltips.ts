import * as l10n from '@vscode/l10n';
import { estimatedTokens } from '../../chat/counts.ts';
import { code, plain } from '../../common/markdown.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { launchSecrets, type ServerLaunch } from '../../config/servers/launch.ts';
import {
	type Alteration,
	alterationsOfServer,
	alterationsOfTool,
} from '../../discovery/catalog/hiddenText.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import { withoutArgumentSecrets } from '../../mcp/accepted/launchFacts.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { countsOf, nodeLook, type ServerNode, usableTokens } from './nodes.ts';
import { ruleSubject, ruleWords } from './permissionLabels.ts';

/** Longest failure that a tooltip shows, in characters; it is somebody else's text. */
const failureLength = 2000;
/** Tools left out that are named; the log names all. */
const shownDropped = 5;

/** Permissions of one server that are named. */
const shownRules = 5;

/** What there is to know of a server, as Markdown. */
export function serverTooltip(node: ServerNode): string {
	const { status, launch, advice, why, place, rules = [], tools } = node;
	const { word } = nodeLook(node);
	const counts = [...countsOf(node), estimatedTokens(usableTokens(node))].join(' · ');
	const { transport, target } = launch ? launchLabel(launch) : { transport: '', target: '' };
	return [
		`**${plain(status.name)}** — ${plain(word)}`,
		...(why ? [l10n.t('{0}: {1}.', word, plain(why))] : []),
		...failureOf(status),
		...(status.description ? [plain(status.description, 300)] : []),
		...serverHiddenTextNotes(
			status,
			tools.map(({ tool }) => tool),
		).map((words) => plain(words)),
		...(launch ? [`${transport}: ${code(target, 300)}`] : []),
		...(place?.label === undefined ? [] : [l10n.t('Defined in: {0}', plain(place.label, 100))]),
		...(place?.replacesUsers
			? [l10n.t('It overrides the server of the same name in your user configuration.')]
			: []),
		...(status.listedAt === undefined ? [] : [l10n.t('{0}, listed {1}', counts, timeOf(status.listedAt))]),
		...(advice ? [plain(advice)] : []),
		...rules.slice(0, shownRules).map((rule) => plain(`${ruleSubject(rule)}: ${ruleWords(rule, undefined)}`)),
		...(rules.length > shownRules ? [l10n.t('… and {0} more permissions', rules.length - shownRules)] : []),
		...(status.cached
			? [l10n.t('The tools are as of its last run; it starts when one of them is called.')]
			: []),
		...(status.cutShort ? [l10n.t('Not all tools are known: {0}', plain(status.cutShort, 300))] : []),
		...(status.listError
			? [l10n.t('The last listing failed: {0}', plain(status.listError.message, failureLength))]
			: []),
		...status.dropped
			.slice(0, shownDropped)
			.map(({ name, reason }) => l10n.t('Left out: {0} ({1})', code(name, 100), plain(reason, 200))),
		...(status.dropped.length > shownDropped
			? [l10n.t('… and {0} more left out; the log names them.', status.dropped.length - shownDropped)]
			: []),
	].join('\n\n');
}

function failureOf({ state, wantsRights }: ServerStatus): string[] {
	if (state.kind === 'forbidden') return [plain(state.ban.text)];
	const wants = state.kind === 'signed-out' ? state.error : wantsRights;
	if (wants) return [plain(wants.message, failureLength)];
	if (state.kind === 'starting' && state.first?.said)
		return [l10n.t('Last output: {0}', plain(state.first.said, failureLength))];
	if (state.kind !== 'failed') return [];
	const next =
		state.nextAttemptAt === undefined
			? []
			: [l10n.t('The next attempt is at {0}.', clockTime(state.nextAttemptAt))];
	return [plain(state.error.message, failureLength), ...next];
}

function timeOf(ms: number): string {
	const date = new Date(ms);
	return `${date.toLocaleDateString()} ${clockTime(ms)}`;
}

function clockTime(ms: number): string {
	return new Date(ms).toLocaleTimeString();
}

export function capitalized(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What was taken out of the texts of a tool, or of a server, a sentence for each kind. */
export function hiddenTextNotes(alterations: readonly Alteration[]): readonly string[] {
	return alterations.map((alteration) =>
		alteration === 'hidden'
			? l10n.t('⚠ Hidden characters were removed from its texts. They may be meant to mislead a model.')
			: l10n.t('⚠ Tags that may be meant to mislead a model were made harmless in its texts.'),
	);
}

/** The same for a server, and for how many of its tools. */
function serverHiddenTextNotes(
	server: Parameters<typeof alterationsOfServer>[0],
	tools: readonly Tool[],
): readonly string[] {
	const altered = tools.filter((tool) => alterationsOfTool(tool).length > 0).length;
	return [
		...hiddenTextNotes(alterationsOfServer(server)),
		...(altered === 1 ? [l10n.t('⚠ Hidden characters or tags were removed from the texts of 1 tool.')] : []),
		...(altered > 1
			? [l10n.t('⚠ Hidden characters or tags were removed from the texts of {0} tools.', altered)]
			: []),
	];
}

/** How a server is reached, without its environment, headers, and what in a command line or address looks secret. */
export function launchLabel(launch: ServerLaunch): { readonly transport: string; readonly target: string } {
	const redactor = new Redactor(launchSecrets(launch));
	if (launch.kind === 'stdio') {
		const { command, args } = launch.written ?? launch;
		return {
			transport: 'stdio',
			target: redactor.hide([command, ...withoutArgumentSecrets(args, command)].join(' ')),
		};
	}
	const transport = launch.transport === 'sse' ? 'SSE' : 'HTTP';
	// Without query, user and password, which may hold keys.
	const { origin, pathname } = URL.parse(launch.url) ?? { origin: '', pathname: '' };
	return { transport, target: redactor.hide(`${origin}${pathname}`) };
}
