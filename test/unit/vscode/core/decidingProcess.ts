import { systemClock } from '../../../../src/common/clock.ts';
import type { StdioLaunch } from '../../../../src/config/servers/launch.ts';
import { Approvals } from '../../../../src/vscode/core/approvals.ts';
import { openTrustFile } from '../../../../src/vscode/core/openTrustFile.ts';
import { Permissions } from '../../../../src/vscode/core/permissions.ts';

/**
 * A window whose user decides again and again, without waiting: approves servers of its own, and never allows a tool of each. It begins when it reads
 * a line, together with others on the same files.
 */
const [path = '', usersPath = '', name = '', rounds = '0'] = process.argv.slice(2);
const open = (file: string) => openTrustFile(file, { clock: systemClock });
const [trust, users] = [await open(path), await open(usersPath)];
const launchOf = (server: string): StdioLaunch => ({
	kind: 'stdio',
	command: server,
	args: [],
	env: {},
	cwd: '/',
	...(server.endsWith('0') && { ofUser: true }),
});
const approvals = new Approvals(trust, { users, launchOf });
const permissions = new Permissions(trust, approvals);

process.stdout.write('ready\n');
process.stdin.once('data', async () => {
	const writing: Promise<unknown>[] = [];
	for (let round = 0; round < Number(rounds); round++) {
		const server = `${name}-${round}`;
		writing.push(approvals.approve(new Map([[server, launchOf(server)]]), false));
		writing.push(
			permissions.keep({
				decision: 'never',
				server,
				tool: 'wipe',
				definition: 'd',
				scope: { kind: 'workspace' },
				since: round,
			}),
		);
		permissions.rules([]);
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
	}
	await Promise.all(writing);
	process.exit();
});
