import * as l10n from '@vscode/l10n';
import { code, plain } from '../../common/markdown.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import { serverCount, toolCount } from '../counts.ts';
import { codeList, didYouMean, type SlashCommandContext } from './namedTools.ts';

/** `/toolset`: lists the toolsets; `/toolset NAME`: chooses one; `/toolset none`: all tools again. */
export function toolset(args: string, { session, toolsets, chooseToolset }: SlashCommandContext): string {
	const requestedName = args.trim();
	if (requestedName === '') return toolsetList(session, toolsets);
	if (requestedName === 'none') {
		chooseToolset(undefined);
		return l10n.t('No toolset is selected: {0} can be used.', toolCount(session.surface.tools.length));
	}
	if (!toolsets.has(requestedName)) {
		const sentences = [
			l10n.t('There is no toolset {0}.', code(requestedName)),
			...didYouMean(requestedName, [...toolsets.keys()]),
		];
		return `${sentences.join(' ')}\n\n${toolsetList(session, toolsets)}`;
	}
	chooseToolset(requestedName);
	const { tools, servers, unknownInToolset: unknown } = session.surface;
	const names = codeList(unknown);
	return [
		l10n.t(
			'This chat now uses the toolset {0}: {1} of {2}.',
			code(requestedName),
			toolCount(tools.length),
			serverCount(servers.length),
		),
		...(names ? [l10n.t('Not found, so ignored: {0}', names)] : []),
	].join('\n\n');
}

/** Explains what it means for a chat that the configuration does not define its toolset; `undefined` if it does. */
export function missingToolset({ toolset: chosen }: ToolSurface): string | undefined {
	if (!chosen?.missing) return undefined;
	const [name, leave] = [code(chosen.name), code('/toolset none')];
	return chosen.servers.size > 0
		? l10n.t(
				'The toolset {0} is missing from the configuration. This chat keeps the toolset’s last tools until the toolset is back or you leave it with {1}.',
				name,
				leave,
			)
		: l10n.t(
				'The toolset {0} is missing from the configuration, and its tools are unknown. This chat has no tools until the toolset is back or you leave it with {1}.',
				name,
				leave,
			);
}

/** Lists the configured toolsets, and how to choose one. */
function toolsetList(session: DiscoverySession, toolsets: ReadonlyMap<string, Toolset>): string {
	const missing = missingToolset(session.surface);
	if (toolsets.size === 0) {
		return (
			missing ??
			l10n.t('The configuration defines no toolsets ({0}); every tool is available.', code('tool_sets'))
		);
	}
	const chosen = session.surface.toolset?.name;
	const rows = [...toolsets.values()].map(({ name, description }) => {
		const label = name === chosen ? l10n.t('{0} (chosen)', code(name)) : code(name);
		return `- ${label}${description ? `: ${plain(description)}` : ''}`;
	});
	const how = l10n.t(
		'Select a toolset with {0}, or use all tools with {1}.',
		code('/toolset NAME'),
		code('/toolset none'),
	);
	return [...(missing === undefined ? [] : [missing]), rows.join('\n'), how].join('\n\n');
}
