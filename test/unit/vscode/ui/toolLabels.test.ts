import { expect, test } from 'vitest';
import { toolLabels } from '../../../../src/vscode/ui/toolLabels.ts';

test.each([
	['github', ['github_create_issue', 'get_me'], ['create_issue', 'get_me']],
	['brave-search', ['brave_search_web', 'brave_local'], ['web', 'brave_local']],
	[
		'mcp-server-git',
		['git_status', 'git.log', 'github_x', 'git', 'git_'],
		['status', 'log', 'github_x', 'git', 'git_'],
	],
	['Jira', ['JIRA-get', 'jira__list'], ['get', 'list']],
	['slack', ['slack_post', 'post'], ['slack_post', 'post']],
	['a.b', ['axb_c', 'a_b_c'], ['axb_c', 'c']],
	['mcp', ['mcp_ping'], ['mcp_ping']],
])('the rows below %s show %j as %j', (server, names, shown) => {
	const labels = toolLabels(server, names);
	expect(names.map((name) => labels.get(name) ?? name)).toEqual(shown);
});
