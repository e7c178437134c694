/** A call that must come of a request: the tool, or tools that are as good, and exactly these arguments, or one of several. */
export interface ExpectedCall {
	readonly tools: readonly string[];
	readonly inputs: readonly Readonly<Record<string, unknown>>[];
}

/** How a request ends after its calls: with a report of them, a question for a value of one of these tools, or a refusal. */
export type ExpectedEnd = 'report' | 'refusal' | { readonly asksFor: readonly string[] };

/** What must come of a request: one of these is right. */
export interface Outcome {
	readonly calls: readonly ExpectedCall[];
	readonly end: ExpectedEnd;
}

/** One request of the table. Several messages are said one after the other; what is expected is of all of them. */
export interface Request {
	readonly servers: 'sample' | 'fleet';
	readonly messages: readonly string[];
	readonly right: readonly Outcome[];
	/** Not looked at while the rules were written: every third. */
	readonly held: boolean;
}

/** The folder that stands open. */
export const workspaceFolder = '/home/ada/work';
/** The day on which it is said. */
export const today = new Date('2026-03-18T10:00:00Z');
/** What tools answer; any other says `done`. */
export const answers: Readonly<Record<string, string>> = {
	filesystem__read_text_file: 'milk\nbread',
	filesystem__read_file: 'milk\nbread',
	filesystem__list_directory: '[FILE] architecture.md\n[FILE] release-plan.md',
	'everything__get-sum': 'The sum of 2 and 3 is 5.',
	firecrawl__firecrawl_scrape: '# Example Domain',
	tavily__tavily_search: 'Ten results.',
	'brave-search-ref__brave_web_search': 'Ten results.',
	firecrawl__firecrawl_search: 'Ten results.',
};

type Input = Readonly<Record<string, unknown>>;

function call(tools: string, ...inputs: Input[]): ExpectedCall {
	return { tools: tools.split(' '), inputs: inputs.length > 0 ? inputs : [{}] };
}
function does(...calls: ExpectedCall[]): Outcome {
	return { calls, end: 'report' };
}
function asks(tools: string, ...before: ExpectedCall[]): Outcome {
	return { calls: before, end: { asksFor: tools.split(' ') } };
}
const refuses: Outcome = { calls: [], end: 'refusal' };

const git = { path: workspaceFolder };
const read = 'filesystem__read_text_file filesystem__read_file';
const write = 'filesystem__write_file';
const relation = call('memory__create_relations', {
	relations: [{ from: 'Ada', to: 'tea', relationType: 'likes' }],
});

type Row = readonly [said: string | readonly string[], ...right: Outcome[]];

/** The five servers of the sample workspace, as its configuration defers them. */
const sample: readonly Row[] = [
	// What the README, the walkthrough and the sample's own README say to type.
	[
		'create a file called hello.txt with the text Hello',
		does(call(write, { path: 'hello.txt', content: 'Hello' })),
	],
	[
		'create a file called hello.txt with the text "Hello"',
		does(call(write, { path: 'hello.txt', content: 'Hello' })),
	],
	['read notes/shopping.md', does(call(read, { path: 'notes/shopping.md' }))],
	['list the files in docs', does(call('filesystem__list_directory', { path: 'docs' }))],
	['remember that "Ada" likes "tea"', does(relation)],
	['what changed in this git repository?', does(call('git__git_status git__git_diff', git))],
	['what changed last week?', does(call('git__git_log', { ...git, since: '2026-03-11' }))],
	// One step with all its values.
	[
		'read the first 5 lines of docs/architecture.md',
		does(call(read, { path: 'docs/architecture.md', head: 5 })),
	],
	['list the files here', does(call('filesystem__list_directory', { path: workspaceFolder }))],
	['show me the files in this folder', does(call('filesystem__list_directory', { path: workspaceFolder }))],
	['show the directory tree of docs', does(call('filesystem__directory_tree', { path: 'docs' }))],
	[
		'move notes/meeting.md to docs/meeting.md',
		does(call('filesystem__move_file', { source: 'notes/meeting.md', destination: 'docs/meeting.md' })),
	],
	[
		'rename notes/meeting.md to notes/meetings.md',
		does(call('filesystem__move_file', { source: 'notes/meeting.md', destination: 'notes/meetings.md' })),
	],
	['create a folder called archive', does(call('filesystem__create_directory', { path: 'archive' }))],
	['find all *.md files', does(call('filesystem__search_files', { path: workspaceFolder, pattern: '*.md' }))],
	['find all *.md files in docs', does(call('filesystem__search_files', { path: 'docs', pattern: '*.md' }))],
	[
		'search for files matching "plan"',
		does(call('filesystem__search_files', { path: workspaceFolder, pattern: 'plan' })),
	],
	[
		'get the file info of docs/architecture.md',
		does(call('filesystem__get_file_info', { path: 'docs/architecture.md' })),
	],
	[
		'replace "milk" with "oat milk" in notes/shopping.md',
		does(
			call('filesystem__edit_file', {
				path: 'notes/shopping.md',
				edits: [{ oldText: 'milk', newText: 'oat milk' }],
			}),
		),
	],
	[
		'read notes/meeting.md and notes/shopping.md',
		does(call('filesystem__read_multiple_files', { paths: ['notes/meeting.md', 'notes/shopping.md'] })),
	],
	[
		'write “Hello World” to greeting.txt',
		does(call(write, { path: 'greeting.txt', content: 'Hello World' })),
	],
	['git status', does(call('git__git_status', git))],
	['show the git log', does(call('git__git_log', git))],
	['show the last 3 commits', does(call('git__git_log', { ...git, maxCount: 3 }))],
	[
		'who wrote each line of docs/architecture.md?',
		does(call('git__git_blame', { ...git, filePath: 'docs/architecture.md' })),
	],
	['commit with the message "Fix typo"', does(call('git__git_commit', { ...git, message: 'Fix typo' }))],
	[
		'create a branch called feature-x',
		does(call('git__git_branch', { ...git, mode: 'create', branchName: 'feature-x' })),
	],
	['stage docs/architecture.md', does(call('git__git_add', { ...git, paths: ['docs/architecture.md'] }))],
	['show the diff', does(call('git__git_diff', git))],
	['switch to the branch feature-x', does(call('git__git_checkout', { ...git, target: 'feature-x' }))],
	['list the branches', does(call('git__git_branch', git, { ...git, mode: 'list' }))],
	[
		'create a git tag called v1.0.0',
		does(call('git__git_tag', { ...git, mode: 'create', tagName: 'v1.0.0' })),
	],
	['push my commits', does(call('git__git_push', git))],
	['echo hello world', does(call('everything__echo', { message: 'hello world' }))],
	['add 2 and 3', does(call('everything__get-sum', { a: 2, b: 3 }))],
	['what is the sum of 19 and 23?', does(call('everything__get-sum', { a: 19, b: 23 }))],
	['show me a tiny image', does(call('everything__get-tiny-image'))],
	['print the environment variables', does(call('everything__get-env'))],
	[
		'run the long running operation with duration=3 steps=5',
		does(call('everything__trigger-long-running-operation', { duration: 3, steps: 5 })),
	],
	[
		'get the structured content for Chicago',
		does(call('everything__get-structured-content', { location: 'Chicago' })),
	],
	['search my memory for "Ada"', does(call('memory__search_nodes', { query: 'Ada' }))],
	['show the whole knowledge graph', does(call('memory__read_graph'))],
	['delete the entity "Ada"', does(call('memory__delete_entities', { entityNames: ['Ada'] }))],
	['open the nodes "Ada" and "Bob"', does(call('memory__open_nodes', { names: ['Ada', 'Bob'] }))],
	[
		'use filesystem:write_file with path=a.txt content="b"',
		does(call(write, { path: 'a.txt', content: 'b' })),
	],
	['everything:get-sum a=1 b=2', does(call('everything__get-sum', { a: 1, b: 2 }))],
	// A value is missing.
	['create a file', asks(write)],
	['create a file called a.md', asks(write)],
	['read the file', asks(`${read} filesystem__read_multiple_files`)],
	['move notes/meeting.md', asks('filesystem__move_file')],
	['commit', asks('git__git_commit')],
	['merge a branch', asks('git__git_merge')],
	['create a folder', asks('filesystem__create_directory')],
	['get the sum of 2', asks('everything__get-sum')],
	['search the knowledge graph', asks('memory__search_nodes')],
	['edit notes/shopping.md', asks('filesystem__edit_file')],
	// Nothing serves.
	['order a pizza with extra cheese', refuses],
	['book a flight to Rome', refuses],
	['delete notes/shopping.md', refuses],
	['send an email to bob@example.com saying "hi"', refuses],
	['append "eggs" to notes/shopping.md', refuses, asks('filesystem__edit_file')],
	['translate "hello" into French', refuses],
	['drop the table users', refuses],
	['restart the database server', refuses],
	['copy notes/meeting.md to docs/copy.md', refuses],
	['mail:write_file path=a.txt content=b', refuses],
	// Several steps.
	[
		'create a file called a.txt with the text A and then read it',
		does(call(write, { path: 'a.txt', content: 'A' }), call(read, { path: 'a.txt' })),
	],
	[
		'create a file called 1.txt with the text "one", then create a file called 2.txt with the text "two", then create a file called 3.txt with the text "three", then create a file called 4.txt with the text "four", then create a file called 5.txt with the text "five"',
		does(
			...['one', 'two', 'three', 'four', 'five'].map((content, i) =>
				call(write, { path: `${i + 1}.txt`, content }),
			),
		),
	],
	[
		'read notes/shopping.md, then write its contents to copy.md',
		does(call(read, { path: 'notes/shopping.md' }), call(write, { path: 'copy.md', content: 'milk\nbread' })),
	],
	[
		'create a folder called archive, then move notes/meeting.md into it',
		does(
			call('filesystem__create_directory', { path: 'archive' }),
			call('filesystem__move_file', { source: 'notes/meeting.md', destination: 'archive/meeting.md' }),
		),
	],
	[
		'create a folder called drafts and create a file called a.md in it with the text "Hi"',
		does(
			call('filesystem__create_directory', { path: 'drafts' }),
			call(write, { path: 'drafts/a.md', content: 'Hi' }),
		),
	],
	[
		'list the files in docs, then read them',
		does(
			call('filesystem__list_directory', { path: 'docs' }),
			call('filesystem__read_multiple_files', { paths: ['docs/architecture.md', 'docs/release-plan.md'] }),
		),
	],
	[
		'stage docs/architecture.md, then commit with the message "Update"',
		does(
			call('git__git_add', { ...git, paths: ['docs/architecture.md'] }),
			call('git__git_commit', { ...git, message: 'Update' }),
		),
	],
	[
		'create a branch called fix-1, then switch to it',
		does(
			call('git__git_branch', { ...git, mode: 'create', branchName: 'fix-1' }),
			call('git__git_checkout', { ...git, target: 'fix-1' }),
		),
	],
	[
		'add 2 and 3, then echo the result',
		does(
			call('everything__get-sum', { a: 2, b: 3 }),
			call('everything__echo', { message: 'The sum of 2 and 3 is 5.' }),
		),
	],
	[
		'read notes/shopping.md and echo it',
		does(call(read, { path: 'notes/shopping.md' }), call('everything__echo', { message: 'milk\nbread' })),
	],
	[
		'move a.txt to b.txt, then read it',
		does(
			call('filesystem__move_file', { source: 'a.txt', destination: 'b.txt' }),
			call(read, { path: 'b.txt' }),
		),
	],
	[
		'git status, then show the diff, then show the git log',
		does(call('git__git_status', git), call('git__git_diff', git), call('git__git_log', git)),
	],
	[
		['create a file called a.txt with the text "A"', 'read it'],
		does(call(write, { path: 'a.txt', content: 'A' }), call(read, { path: 'a.txt' })),
	],
	[
		'create a file called a.txt with the text "A", then create a file called b.txt',
		asks(write, call(write, { path: 'a.txt', content: 'A' })),
	],
	[
		'create a file called a.txt with the text "A" and then order a pizza',
		{ calls: [call(write, { path: 'a.txt', content: 'A' })], end: 'refusal' },
	],
	// Nothing before, or the wrong order.
	['read it', asks(`${read} filesystem__read_multiple_files`), refuses],
	['write its contents to copy.md', asks(write)],
	['move it to archive/', asks('filesystem__move_file')],
	[
		'before you commit with the message "x", stage a.txt',
		refuses,
		asks('git__git_add git__git_commit'),
		does(
			call('git__git_add', { ...git, paths: ['a.txt'] }),
			call('git__git_commit', { ...git, message: 'x' }),
		),
	],
	[
		'read a.txt after you create it with the text "Hi"',
		refuses,
		asks(write),
		does(call(write, { path: 'a.txt', content: 'Hi' }), call(read, { path: 'a.txt' })),
	],
	// Ambiguous.
	['do something useful', refuses],
	['file', refuses, asks(`${write} ${read}`)],
	['change it', refuses],
	[
		'create',
		refuses,
		asks(`${write} filesystem__create_directory memory__create_entities memory__create_relations`),
	],
	// Answers to questions, and what is none.
	[['create a file called a.md', 'Hello there'], does(call(write, { path: 'a.md', content: 'Hello there' }))],
	[
		['create a file called a.md', 'list the files in docs'],
		does(call('filesystem__list_directory', { path: 'docs' })),
	],
	[['create a file called a.md', 'never mind'], { calls: [], end: 'report' }],
	[['commit', 'message="All of it"'], does(call('git__git_commit', { ...git, message: 'All of it' }))],
	[
		['create a file called a.md', 'what changed in this git repository?'],
		does(call('git__git_status git__git_diff', git)),
	],
];

/** Twenty-seven servers, all deferred. */
const fleet: readonly Row[] = [
	[
		'create a file called hello.txt with the text Hello',
		does(call(write, { path: 'hello.txt', content: 'Hello' })),
	],
	['read notes.txt', does(call(read, { path: 'notes.txt' }))],
	['what changed in this git repository?', does(call('git__git_status git__git_diff', git))],
	['add 2 and 3', does(call('everything__get-sum', { a: 2, b: 3 }))],
	['commit with the message "x"', does(call('git__git_commit', { ...git, message: 'x' }))],
	[
		'create a branch called fix-1',
		does(call('git__git_branch', { ...git, mode: 'create', branchName: 'fix-1' })),
	],
	['create a folder called out', does(call('filesystem__create_directory', { path: 'out' }))],
	['remember that "Ada" likes "tea"', does(relation), refuses],
	['list my trello boards', does(call('trello__list_boards'))],
	['show the slack channels', does(call('slack__slack_list_channels'))],
	[
		'post "Hello team" to the slack channel C12345',
		does(call('slack__slack_post_message', { channel_id: 'C12345', text: 'Hello team' })),
	],
	[
		'send "Hi" to the discord channel 123456',
		does(call('discord__discord_send', { channelId: '123456', message: 'Hi' })),
	],
	[
		'create a github issue with owner=octo repo=hello title="Bug"',
		does(call('github__create_issue', { owner: 'octo', repo: 'hello', title: 'Bug' })),
	],
	[
		'list the github issues of owner=octo repo=hello',
		does(call('github__list_issues', { owner: 'octo', repo: 'hello' })),
	],
	['create a github issue titled "Bug"', asks('github__create_issue')],
	[
		'search github repositories for "mcp server"',
		does(call('github__search_repositories', { query: 'mcp server' })),
	],
	['merge the github pull request 12', asks('github__merge_pull_request')],
	['scrape https://example.com', does(call('firecrawl__firecrawl_scrape', { url: 'https://example.com' }))],
	[
		'search the web for "mcp servers"',
		does(
			call('tavily__tavily_search brave-search-ref__brave_web_search firecrawl__firecrawl_search', {
				query: 'mcp servers',
			}),
		),
	],
	[
		'geocode "10 Downing Street, London"',
		does(call('google-maps__maps_geocode', { address: '10 Downing Street, London' })),
	],
	[
		'directions from "Berlin" to "Hamburg"',
		does(call('google-maps__maps_directions', { origin: 'Berlin', destination: 'Hamburg' })),
	],
	[
		'search places for "coffee near Alexanderplatz"',
		does(call('google-maps__maps_search_places', { query: 'coffee near Alexanderplatz' })),
	],
	['list my stripe customers', does(call('stripe__list_customers'))],
	[
		'create a stripe customer called "Ada" with email ada@example.com',
		does(call('stripe__create_customer', { name: 'Ada', email: 'ada@example.com' })),
	],
	['retrieve my stripe balance', does(call('stripe__retrieve_balance'))],
	['refund the payment intent pi_123', does(call('stripe__create_refund', { payment_intent: 'pi_123' }))],
	['list the airtable bases', does(call('airtable__list_bases'))],
	[
		'list the tables of the airtable base appABC123',
		does(call('airtable__list_tables', { baseId: 'appABC123' })),
	],
	['create an airtable record', asks('airtable__create_record')],
	['find todoist tasks about "milk"', does(call('todoist__find-tasks', { searchText: 'milk' }))],
	['add a todoist task "Buy milk"', does(call('todoist__add-tasks', { tasks: [{ content: 'Buy milk' }] }))],
	['delete the trello label lbl1', does(call('trello__delete_label', { labelId: 'lbl1' }))],
	['archive the trello card abc123', does(call('trello__archive_card', { cardId: 'abc123' }))],
	['move the trello card c1 to the list l2', does(call('trello__move_card', { cardId: 'c1', listId: 'l2' }))],
	[
		'add a comment "Nice" to the trello card c1',
		does(call('trello__add_comment', { cardId: 'c1', text: 'Nice' })),
	],
	['run the command "ls -la"', does(call('commands__run_command', { command: 'ls -la' }))],
	['list the xero tax rates', does(call('xero__list-tax-rates'))],
	['create a xero contact called "ACME"', does(call('xero__create-contact', { name: 'ACME' }))],
	['approve the timesheet ts-1', does(call('xero__approve-timesheet', { timesheetID: 'ts-1' }))],
	['list the linear teams', does(call('linear__linear_getTeams'))],
	['create a linear issue titled "Crash"', asks('linear__linear_createIssue')],
	['list my calendars', does(call('ms-365__list-calendars'))],
	['get the notion page page_id=abc', does(call('notion__API-retrieve-a-page', { page_id: 'abc' }))],
	[
		'read the messages of the discord channel 42',
		does(call('discord__discord_read_messages', { channelId: '42' })),
	],
	[
		'delete the discord message with channelId=1 messageId=2',
		does(call('discord__discord_delete_message', { channelId: '1', messageId: '2' })),
	],
	['create a pie chart', asks('antv-chart__generate_pie_chart')],
	['get the asana task 1205', does(call('asana__asana_get_task', { task_id: '1205' }))],
	['delete the asana task 1205', does(call('asana__asana_delete_task', { task_id: '1205' }))],
	['get the hubspot user details', does(call('hubspot__hubspot-get-user-details'))],
	['list the monday workspaces', does(call('monday__list_workspaces'))],
	[
		'list the members of the trello board',
		does(call('trello__get_board_members')),
		asks('trello__get_board_members'),
	],
	// Nothing serves.
	['order a pizza with extra cheese', refuses],
	['turn on the kitchen light', refuses],
	['water the plants at 6', refuses],
	['delete notes.txt', refuses],
	['cancel my flight AB123', refuses],
	// Several steps.
	[
		'list my trello boards, then show the slack channels',
		does(call('trello__list_boards'), call('slack__slack_list_channels')),
	],
	[
		'scrape https://example.com, then write the result to page.md',
		does(
			call('firecrawl__firecrawl_scrape', { url: 'https://example.com' }),
			call(write, { path: 'page.md', content: '# Example Domain' }),
		),
	],
	[
		'search the web for "mcp", then post it to the slack channel C1',
		does(
			call('tavily__tavily_search brave-search-ref__brave_web_search firecrawl__firecrawl_search', {
				query: 'mcp',
			}),
			call('slack__slack_post_message', { channel_id: 'C1', text: 'Ten results.' }),
		),
	],
	[
		'create a folder called out, then create a file called out/a.md with the text "x"',
		does(
			call('filesystem__create_directory', { path: 'out' }),
			call(write, { path: 'out/a.md', content: 'x' }),
		),
	],
	[
		'read notes.txt, then post it to the slack channel C1',
		does(
			call(read, { path: 'notes.txt' }),
			call('slack__slack_post_message', { channel_id: 'C1', text: 'milk\nbread' }),
		),
	],
	// Ambiguous.
	[
		'create an issue titled "Bug"',
		asks('github__create_issue gitlab__create_issue linear__linear_createIssue'),
		refuses,
	],
	['delete the card', asks('trello__archive_card trello__delete_label'), refuses],
	['send a message', asks('slack__slack_post_message discord__discord_send ms-365__send-mail'), refuses],
	['delete everything', refuses],
	[
		['create a github issue titled "Bug"', 'owner=octo repo=hello'],
		does(call('github__create_issue', { owner: 'octo', repo: 'hello', title: 'Bug' })),
	],
	[['create a github issue titled "Bug"', 'list my trello boards'], does(call('trello__list_boards'))],
];

/** All requests, of which every third is held out. */
export const requests: readonly Request[] = [
	...sample.map((row) => ({ servers: 'sample' as const, row })),
	...fleet.map((row) => ({ servers: 'fleet' as const, row })),
].map(({ servers, row: [said, ...right] }, i) => ({
	servers,
	messages: typeof said === 'string' ? [said] : said,
	right,
	held: i % 3 === 2,
}));
