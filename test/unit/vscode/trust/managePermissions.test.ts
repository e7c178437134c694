import { expect, test } from 'vitest';
import { managePermissions } from '../../../../src/vscode/trust/managePermissions.ts';
import { answers } from '../editor.ts';
import { openServers } from '../openServers.ts';

const config = JSON.stringify({ servers: { files: { command: 'node', args: ['files.js'] } } });

test('given an approval that was revoked and given again with another answer about read-only tools, then an undo does not change that', async () => {
	const window = await openServers({ 'casual_mcp_config.json': config }, { files: ['read'] });
	const { approvals, configFile, undo } = window;
	const approve = async (trustsHints: boolean) => {
		const launch = configFile.server('files')?.launch;
		if (launch) await approvals.approve(new Map([['files', launch]]), trustsHints);
	};
	await approve(false);
	answers.push('Allow Read-Only Tools Without Asking', 'Revoke Approval');
	await managePermissions(window, window.serverNode('files'));
	expect([approvals.trustsHints('files'), undo.next?.label]).toEqual([false, 'revoke approval of files']);
	await approve(false);
	expect(undo.next).toBeUndefined();
	await undo.undo();
	expect(approvals.trustsHints('files')).toBe(false);
});
