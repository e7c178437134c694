import * as l10n from '@vscode/l10n';
import type { Services } from '../../services.ts';
import { labelText } from './labelText.ts';

/** Characters of a server's name in a message. */
const nameLength = 100;

/** Servers that VS Code's settings do not let start. */
export interface ForbiddenServers {
	readonly count: number;
	/** Which ones and why, a text for each reason. */
	readonly texts: readonly string[];
	/** The user can change it. */
	readonly isUsers: boolean;
}

/** Which servers of the configuration may not start, and who decided that. */
export function forbiddenServers({
	configFile,
	trust: { mcpAccess },
}: Pick<Services, 'configFile' | 'trust'>): ForbiddenServers {
	const launches = configFile.state.kind === 'ok' ? [...configFile.state.config.launches] : [];
	const bans = launches.flatMap(([name, launch]) => {
		const ban = mcpAccess.ban(name, launch);
		return ban ? [{ name: labelText(name, nameLength), ...ban }] : [];
	});
	const texts = [...Map.groupBy(bans, ({ text }) => text)].map(([text, its]) =>
		l10n.t('Not started: {0}. {1}', its.map(({ name }) => name).join(', '), text),
	);
	return { count: bans.length, texts, isUsers: bans.some(({ by }) => by === 'settings') };
}
