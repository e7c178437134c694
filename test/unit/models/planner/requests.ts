/** A call that must come of a request: the tool, or tools that are as good, with exactly these arguments, or one of several. */
export interface ExpectedCall {
	readonly tools: readonly string[];
	readonly inputs: readonly Readonly<Record<string, unknown>>[];
}

/** One request of the table. */
export interface Request {
	readonly servers: 'sample' | 'fleet';
	/** Said one after the other; the calls are those of all of them. */
	readonly messages: readonly string[];
	/** The calls, in their order. */
	readonly calls: readonly ExpectedCall[];
	/** Set where it must end with a question: the tools of which one must be offered; empty where nothing serves. */
	readonly offers?: readonly string[];
	/** Written after the rules, and never used to tune them. */
	readonly held: boolean;
}

/** The folder that stands open. */
export const workspaceFolder = '/home/ada/work';
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
/** A tool, or several with blanks between them, and its arguments, or several of which one is right. */
type Call = readonly [tools: string, ...inputs: Input[]];
type Row = readonly [said: string | readonly string[], ...calls: Call[]];
type Question = readonly [said: string | readonly string[], offers: string, ...calls: Call[]];

const git = { path: workspaceFolder };
const read = 'filesystem__read_text_file filesystem__read_file';
const write = 'filesystem__write_file';
const edit = 'filesystem__edit_file';
const web = 'tavily__tavily_search brave-search-ref__brave_web_search firecrawl__firecrawl_search';

/** Done in the sample workspace: written before the rules. */
const doneInSample: readonly Row[] = [
	['create a file called hello.txt with the text Hello', [write, { path: 'hello.txt', content: 'Hello' }]],
	['create a file called hello.txt with the text "Hello"', [write, { path: 'hello.txt', content: 'Hello' }]],
	['read notes/shopping.md', [read, { path: 'notes/shopping.md' }]],
	['list the files in docs/', ['filesystem__list_directory', { path: 'docs/' }]],
	['what changed in this git repository?', ['git__git_status git__git_diff', git]],
	['please write “Hello World” to greeting.txt', [write, { path: 'greeting.txt', content: 'Hello World' }]],
	['git status', ['git__git_status', git]],
	['commit with the message "Fix typo"', ['git__git_commit', { ...git, message: 'Fix typo' }]],
	['what is the sum of 19 and 23?', ['everything__get-sum', { a: 19, b: 23 }]],
	['everything:get-sum a=1 b=2', ['everything__get-sum', { a: 1, b: 2 }]],
	['search my memory for "Ada"', ['memory__search_nodes', { query: 'Ada' }]],
];

/** Done among 27 servers. */
const doneInFleet: readonly Row[] = [
	['list my trello boards', ['trello__list_boards']],
	[
		'create a github issue with owner=octo repo=hello title="Bug"',
		['github__create_issue', { owner: 'octo', repo: 'hello', title: 'Bug' }],
	],
	['scrape https://example.com', ['firecrawl__firecrawl_scrape', { url: 'https://example.com' }]],
	['run the command "ls -la"', ['commands__run_command', { command: 'ls -la' }]],
];

/** What must not be called, but asked about, in the sample workspace. */
const askedInSample: readonly Question[] = [
	// A word would change what is done.
	['write "# Title" at the top of notes/meeting.md', write],
	['write "# Title" on top of notes/meeting.md', write],
	['write "done" also to notes/meeting.md', write],
	['write one more "hi" to greeting.txt', write],
	['put "- eggs" in notes/shopping.md too', `${write} ${edit}`],
	['commit all my changes with the message "Update"', 'git__git_commit'],
	['reset', 'git__git_reset'],
	['append "eggs" to notes/shopping.md', `${write} ${edit}`],
	['don\'t write "x" to a.txt', write],
	['if a.txt exists, write "x" to a.txt', write],
	['should I create a file called a.txt with the text "x"?', write],
	['write "x" to a.txt unless it is there', write],
	['read a.txt after you create it with the text "Hi"', `${read} ${write}`],
	// A value is missing, or is none that stands there.
	['create a file', write],
	['create a file called a.md', write],
	['move notes/meeting.md', 'filesystem__move_file'],
	['rename notes/meeting.md to notes/meetings.md', 'filesystem__move_file'],
	['commit', 'git__git_commit'],
	['get the sum of 2', 'everything__get-sum'],
	['sum 2 and 3 and 4', 'everything__get-sum'],
	['write its contents to copy.md', write],
	['read the README', read],
	// A value is computed, counted or nested, or the verb is not the tool's.
	['what changed last week?', 'git__git_diff git__git_status git__git_log'],
	['show the last 3 commits', 'git__git_log'],
	['remember that "Ada" likes "tea"', 'memory__create_relations'],
	['replace "milk" with "oat milk" in notes/shopping.md', edit],
	['make a folder called archive', 'filesystem__create_directory'],
	['stage docs/architecture.md', 'git__git_add'],
	// Nothing serves.
	['delete notes/shopping.md', ''],
	['order a pizza with extra cheese', ''],
	['copy notes/meeting.md to docs/copy.md', ''],
	['undo the last commit', ''],
	// More than one sentence.
	['create a file called a.txt with the text "A" and then order a pizza', write],
	['create a folder docs2, then write notes.md in it with "buy milk", then show me what is in it', ''],
	['read notes/shopping.md, then write its contents to copy.md', ''],
	[
		['create a file called a.txt with the text "A"', 'read it'],
		read,
		[write, { path: 'a.txt', content: 'A' }],
	],
	// A value without a mark.
	['can you show me the directory tree of docs?', 'filesystem__directory_tree'],
	['find all *.md files in docs', 'filesystem__search_files'],
	['create a branch called feature-x', 'git__git_branch'],
];

/** The same among 27 servers. */
const askedInFleet: readonly Question[] = [
	['create an issue titled "Bug"', 'github__create_issue gitlab__create_issue linear__linear_createIssue'],
	['delete everything', ''],
	['cancel my flight AB123', ''],
	['create a linear issue titled "Crash"', 'linear__linear_createIssue'],
	['post "Hello team" to the slack channel C12345', 'slack__slack_post_message'],
	// A number is no id.
	['get the asana task 1205', 'asana__asana_get_task'],
];

/** The half that was written after the rules. */
const doneInSampleLater: readonly Row[] = [
	['show notes/meeting.md', [read, { path: 'notes/meeting.md' }]],
	['could you read docs/architecture.md for me', [read, { path: 'docs/architecture.md' }]],
	[
		'open the file notes/shopping.md please',
		[
			`${read} filesystem__read_multiple_files`,
			{ path: 'notes/shopping.md' },
			{ paths: ['notes/shopping.md'] },
		],
	],
	[
		'get the file info of docs/architecture.md',
		['filesystem__get_file_info', { path: 'docs/architecture.md' }],
	],
	[
		'write a file named todo.md with the content "- call Bob"',
		[write, { path: 'todo.md', content: '- call Bob' }],
	],
	['create the directory src/lib', ['filesystem__create_directory', { path: 'src/lib' }]],
	['show me the git log', ['git__git_log', git]],
	['show the diff', ['git__git_diff', git]],
	['git commit --message="Tidy up"', ['git__git_commit', { ...git, message: 'Tidy up' }]],
	['echo "good day"', ['everything__echo', { message: 'good day' }]],
	[
		'who wrote each line of docs/architecture.md?',
		['git__git_blame', { ...git, filePath: 'docs/architecture.md' }],
	],
	['which files are in the notes folder?', ['filesystem__list_directory', { path: 'notes' }]],
	['show the files in this folder', ['filesystem__list_directory', { path: '.' }]],
];

const doneInFleetLater: readonly Row[] = [
	['list the slack channels', ['slack__slack_list_channels']],
	[
		'create a stripe customer named "Ada" with email ada@example.com',
		['stripe__create_customer', { name: 'Ada', email: 'ada@example.com' }],
	],
	[
		'delete the discord message with channelId=1 messageId=2',
		['discord__discord_delete_message', { channelId: '1', messageId: '2' }],
	],
	['show my stripe balance', ['stripe__retrieve_balance']],
];

const askedInSampleLater: readonly Question[] = [
	['write "eggs" at the end of notes/shopping.md', write],
	['add "eggs" to notes/shopping.md', ''],
	['write "hi" below the title of notes/meeting.md', write],
	['put "# Notes" above everything else in notes/meeting.md', ''],
	['write "x" to a.txt again, but only if it changed', write],
	['never overwrite greeting.txt with "Bye"', write],
	['do not commit with the message "x"', 'git__git_commit'],
	['commit everything except docs/architecture.md with the message "x"', 'git__git_commit'],
	['commit only notes/shopping.md with the message "x"', 'git__git_commit'],
	['amend the last commit with the message "x"', 'git__git_commit'],
	['push both branches', 'git__git_push'],
	['force push', 'git__git_push'],
	['create two folders called a and b', 'filesystem__create_directory'],
	['rename all files in docs to lower case', 'filesystem__move_file'],
	['move everything from notes to docs', 'filesystem__move_file'],
	['clean up', ''],
	['write something nice to a.txt', write],
	['write the date to a.txt', write],
	['create a summary of docs/architecture.md in summary.md', ''],
	['switch back', 'git__git_checkout'],
	['make notes/shopping.md shorter', ''],
	['before you commit with the message "x", stage a.txt', ''],
	['turn the volume up', ''],
	['forget that "Ada" likes "tea"', ''],
	['stash', 'git__git_stash'],
	// Its words are none of the tool's name or verbs.
	['read the first 5 lines of docs/architecture.md', read],
	['save "one, two" to list.txt', write],
	['overwrite greeting.txt with "Bye"', write],
	['add a.txt and b.txt to the git index', 'git__git_add'],
	['create a branch called fix-1, then switch to it', 'git__git_checkout'],
	// A value alone is no request.
	[['create a file called b.txt', '"later"'], ''],
	// More than one sentence.
	['1. create a folder called out\n2. create a file called out/a.md with the text "x"', ''],
	[['order a pizza, then read notes/shopping.md', 'skip'], ''],
	// A value without a mark, or a file for which only a folder is given.
	['search for files matching "plan" in docs', 'filesystem__search_files'],
	['move notes/meeting.md to docs/', 'filesystem__move_file'],
	['create a tag called v1.0.0', 'git__git_tag'],
];

const askedInFleetLater: readonly Question[] = [
	['search the web for "mcp servers"', web],
	['send "hi" to Bob', 'slack__slack_post_message discord__discord_send ms-365__send-mail'],
	['delete the oldest trello card', ''],
	['refund my last stripe payment', ''],
	['create a github issue titled "Bug"', 'github__create_issue'],
	['water the plants at 6', ''],
	['move the trello card c1 to the list l2', 'trello__move_card'],
];

function requestsOf(
	servers: Request['servers'],
	held: boolean,
	done: readonly Row[],
	asked: readonly Question[],
): readonly Request[] {
	const messagesOf = (said: Row[0]) => (typeof said === 'string' ? [said] : said);
	const callOf = ([tools, ...inputs]: Call): ExpectedCall => ({
		tools: tools.split(' '),
		inputs: inputs.length > 0 ? inputs : [{}],
	});
	return [
		...done.map(([said, ...calls]) => ({
			servers,
			messages: messagesOf(said),
			calls: calls.map(callOf),
			held,
		})),
		...asked.map(([said, offers, ...calls]) => ({
			servers,
			messages: messagesOf(said),
			calls: calls.map(callOf),
			offers: offers === '' ? [] : offers.split(' '),
			held,
		})),
	];
}

/** All requests: half of them written before the rules, half after. */
export const requests: readonly Request[] = [
	...requestsOf('sample', false, doneInSample, askedInSample),
	...requestsOf('fleet', false, doneInFleet, askedInFleet),
	...requestsOf('sample', true, doneInSampleLater, askedInSampleLater),
	...requestsOf('fleet', true, doneInFleetLater, askedInFleetLater),
];
