/** A tool of the corpus, by server and name. */
export type ScriptedTool = readonly [server: string, name: string];

/** One turn: what the user asks, what the model loads and calls, and what it says at the end. */
export interface ScriptedTurn {
	readonly prompt: string;
	/** Searched for and loaded before the calls. Absent if the loaded tools are enough. */
	readonly loads?: ScriptedTool;
	/** Called one after another. */
	readonly calls: readonly {
		readonly tool: ScriptedTool;
		readonly input: Readonly<Record<string, unknown>>;
	}[];
	readonly answer: string;
}

const issues = ['github', 'list_issues'] as const;
const issue = ['github', 'create_issue'] as const;
const post = ['slack', 'slack_post_message'] as const;
const event = ['google-calendar', 'create-event'] as const;
const page = ['notion', 'API-post-page'] as const;
const file = ['filesystem', 'read_text_file'] as const;

const repository = { owner: 'acme', repo: 'shop' };

/** An afternoon's work: twelve turns. Six of them need one more tool; the others use loaded tools or none. */
export const script: readonly ScriptedTurn[] = [
	{
		prompt: 'Which issues are open in acme/shop?',
		loads: issues,
		calls: [{ tool: issues, input: { ...repository, state: 'open' } }],
		answer: 'There are three open issues; the checkout one is the most urgent.',
	},
	{
		prompt: 'And which of them were closed last week?',
		calls: [{ tool: issues, input: { ...repository, state: 'closed', since: '2026-11-14T00:00:00Z' } }],
		answer: 'Two were closed last week.',
	},
	{
		prompt: 'Open one about the slow search page.',
		loads: issue,
		calls: [
			{
				tool: issue,
				input: { ...repository, title: 'Search page is slow', body: 'p95 is above three seconds.' },
			},
		],
		answer: 'Issue 482 is open.',
	},
	{
		prompt: 'Say in one sentence what we know about it.',
		calls: [],
		answer: 'Its p95 is above three seconds.',
	},
	{
		prompt: 'Tell #team-shop that I am on it.',
		loads: post,
		calls: [{ tool: post, input: { channel_id: 'C042', text: 'I am on the slow search page (issue 482).' } }],
		answer: 'Posted to #team-shop.',
	},
	{
		prompt: 'Put an hour for it into my calendar tomorrow at ten.',
		loads: event,
		calls: [
			{
				tool: event,
				input: {
					calendarId: 'primary',
					summary: 'Slow search page',
					start: '2026-11-22T10:00:00',
					end: '2026-11-22T11:00:00',
				},
			},
		],
		answer: 'It is in your calendar.',
	},
	{
		prompt: 'Another one for the review on Wednesday at two.',
		calls: [
			{
				tool: event,
				input: {
					calendarId: 'primary',
					summary: 'Review',
					start: '2026-11-25T14:00:00',
					end: '2026-11-25T15:00:00',
				},
			},
		],
		answer: 'Done.',
	},
	{
		prompt: 'What does docs/search.md say about the index?',
		loads: file,
		calls: [{ tool: file, input: { path: '/work/docs/search.md' } }],
		answer: 'That it is rebuilt every night.',
	},
	{ prompt: 'Could that be the reason?', calls: [], answer: 'Hardly: the page is slow during the day.' },
	{
		prompt: 'Write what we found into a page in Notion.',
		loads: page,
		calls: [
			{
				tool: page,
				input: { parent: { page_id: 'a1b2' }, properties: { title: [{ text: { content: 'Slow search' } }] } },
			},
		],
		answer: 'The page is there.',
	},
	{
		prompt: 'Post the link in #team-shop, and list the open issues again.',
		calls: [
			{ tool: post, input: { channel_id: 'C042', text: 'Notes: Slow search' } },
			{ tool: issues, input: { ...repository, state: 'open' } },
		],
		answer: 'Posted; four issues are open now.',
	},
	{ prompt: 'Thanks, that is all.', calls: [], answer: 'Good luck with the search page.' },
];

/** The result of every call: about 130 tokens, like small results of real servers. */
export const scriptedResult = JSON.stringify(
	{
		status: 'ok',
		items: Array.from({ length: 3 }, (_, i) => ({
			id: 480 + i,
			title: ['Checkout fails on Safari', 'Wrong totals in the cart', 'Search page is slow'][i],
			url: `https://example.com/items/${480 + i}`,
			labels: ['bug'],
			updated: '2026-11-21T09:30:00Z',
		})),
	},
	null,
	2,
);
