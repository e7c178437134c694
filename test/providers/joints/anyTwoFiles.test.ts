import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seed } from '../../effort.ts';
import { endpoint, fileOf, OpenWindow, placeOf, type WrittenFile, withTestHosts } from './twoFiles.ts';

/** Few names and addresses, so that they overlap in every way. */
const clientNames = ['openai', 'router'];
const modelNames = ['mine', 'other'];
const urls = ['one/v1/A', 'one/v1/B', 'two/v1/A'];

interface MadeClient {
	readonly url: string;
	readonly hasHeader: boolean;
	readonly hasOrganization: boolean;
}

interface MadeFile {
	readonly folder: string | undefined;
	readonly clients: Readonly<Record<string, MadeClient>>;
	/** By name: the client, and whether the model adds a field. */
	readonly models: Readonly<Record<string, { readonly client: string; readonly hasField: boolean }>>;
	readonly hasKey: boolean;
}

const madeFile = (folder: string | undefined): fc.Arbitrary<MadeFile> =>
	fc.record({
		folder: fc.constant(folder),
		clients: fc.dictionary(
			fc.constantFrom(...clientNames),
			fc.record({ url: fc.constantFrom(...urls), hasHeader: fc.boolean(), hasOrganization: fc.boolean() }),
		),
		models: fc.dictionary(
			fc.constantFrom(...modelNames),
			fc.record({ client: fc.constantFrom(...clientNames), hasField: fc.boolean() }),
		),
		hasKey: fc.boolean(),
	});

const situation = fc.record({
	files: fc.tuple(madeFile('app'), madeFile('web'), madeFile(undefined)),
	/** Which files were there when the models were first loaded. */
	before: fc.subarray([0, 1, 2], { minLength: 1 }),
	storedAt: fc.subarray(urls),
	agrees: fc.boolean(),
});

/** Every value names its owner. */
const ownerOf = ({ folder }: MadeFile) => folder ?? 'user';

function written(file: MadeFile, at: (url: string) => string): WrittenFile {
	const owner = ownerOf(file);
	const clients = Object.entries(file.clients).map(([name, { url, hasHeader, hasOrganization }]) => [
		name,
		{
			provider: 'openai',
			base_url: at(url),
			...(hasHeader && { headers: { 'X-From': `${name} of ${owner}` } }),
			...(hasOrganization && { organization: `org-${name}-${owner}` }),
		},
	]);
	const models = Object.entries(file.models).map(([name, { client, hasField }]) => [
		name,
		{
			client,
			model: `${name}-of-${owner}`,
			...(hasField && { extra_body: { seed: `${name} of ${owner}` } }),
		},
	]);
	return {
		...(file.folder && { folder: file.folder }),
		content: { clients: Object.fromEntries(clients), models: Object.fromEntries(models) },
		...(file.hasKey && { dotenv: { OPENAI_API_KEY: `sk-of-${owner}` } }),
	};
}

/** The file whose client a model means: its own if that has the name, else the user's. */
function clientFileOf(model: string, files: readonly MadeFile[]) {
	const users = files.find(({ folder }) => folder === undefined);
	for (const file of files) {
		const client = file.models[model]?.client;
		const owner = client === undefined ? undefined : [file, users].find((one) => one?.clients[client]);
		const made = client === undefined ? undefined : owner?.clients[client];
		if (client !== undefined && owner && made) return { file, client, owner, made };
	}
	return undefined;
}

test('given any two files with any overlap of names, every request, key, header, field and question belongs to the entry that is shown', async () => {
	withTestHosts();
	const served = await endpoint();
	const { port } = new URL(served.url);
	const at = (url: string) => `http://${url.replace('/', `.test:${port}/`)}`;
	let sent = 0;
	for (const { files, before, storedAt, agrees } of fc.sample(situation, { numRuns: runs(60), seed })) {
		const storedKeys = Object.fromEntries(storedAt.map((url) => [at(url), `sk-stored-for-${url}`]));
		const window = new OpenWindow({ storedKeys, agrees });
		const texts = files.map((file) => written(file, at));
		for (const offered of window.read(...texts.filter((_, index) => before.includes(index))))
			await offered.load();
		for (const offered of window.read(...texts)) {
			served.received.length = 0;
			window.questions.length = 0;
			const { name, tooltip = '', detail } = offered.information;
			const error = await window.send(offered, 'private');
			const expected = clientFileOf(name, files);
			if (!expected) throw new Error(`${name} is in no file`);
			const { file, client, owner, made } = expected;
			const [entry, itsOwner] = [`${name} of ${ownerOf(file)}`, ownerOf(owner)];

			expect(tooltip).toContain(at(made.url));
			expect(detail).toBe(client);
			const place = placeOf({ file: fileOf(owner), name: client, baseUrl: at(made.url) });
			for (const question of window.questions) expect(question.endsWith(` to ${place}`), question).toBe(true);
			const isStored = storedAt.includes(made.url);
			const dotenv = owner.hasKey ? `sk-of-${itsOwner}` : undefined;
			if (served.received.length === 0) {
				expect(error).toMatchObject({ reason: 'refused' });
				expect([agrees, window.questions.length > 0]).toEqual([false, true]);
				continue;
			}
			sent++;
			expect(served.received).toHaveLength(1);
			const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = served.received;
			expect(`http://${headers.host}${path}`).toBe(`${at(made.url)}/chat/completions`);
			const key = isStored ? `sk-stored-for-${made.url}` : agrees ? dotenv : undefined;
			expect(headers.authorization).toBe(key && `Bearer ${key}`);
			expect(headers['x-from']).toBe(made.hasHeader ? `${client} of ${itsOwner}` : undefined);
			expect(headers['openai-organization']).toBe(
				made.hasOrganization ? `org-${client}-${itsOwner}` : undefined,
			);
			const { model, seed: field } = JSON.parse(body);
			expect(model).toBe(`${name}-of-${ownerOf(file)}`);
			expect(field).toBe(file.models[name]?.hasField ? entry : undefined);
		}
	}
	expect(sent).toBeGreaterThan(20);
});
