import { expect, test } from 'vitest';
import { LongWork } from '../../../../src/vscode/participant/longWork.ts';
import { FakeClock } from '../../mcp/fakeClock.ts';

function longWork() {
	const clock = new FakeClock();
	const said: string[] = [];
	return { clock, said, work: new LongWork((text) => said.push(text), clock) };
}

test('the progress reports a long call with its step and time, at doubling intervals', async () => {
	const { clock, said, work } = longWork();
	work.callBegun('1', 'files:copy');
	work.callEnded('1');
	work.callStarted('2');
	work.callBegun('2', 'files:move');
	await clock.pass(80_000);
	expect(said).toMatchSnapshot();
	work.dispose();
	await clock.pass(600_000);
	expect(said).toHaveLength(3);
});

test('when several calls run, then the progress names the oldest and counts the others', async () => {
	const { clock, said, work } = longWork();
	work.callBegun('1', 'a:x');
	work.callBegun('2', 'b:y');
	await clock.pass(10_000);
	work.callEnded('1');
	await clock.pass(10_000);
	expect(said).toMatchSnapshot();
});

test('the progress reports a silent model, but not one that is writing', async () => {
	const { clock, said, work } = longWork();
	for (let i = 0; i < 10; i++) {
		await clock.pass(9_000);
		work.somethingSaid();
	}
	expect(said).toEqual([]);
	await clock.pass(10_000);
	expect(said).toMatchSnapshot();
});

test('while a call waits for the user’s approval, the progress reports nothing', async () => {
	const { clock, said, work } = longWork();
	work.callStarted('1');
	await clock.pass(100_000);
	expect(said).toEqual([]);
	work.callEnded('1');
	await clock.pass(10_000);
	expect(said).toHaveLength(1);
});

test("the progress reports a server's question once, and again after other output", async () => {
	const { clock, said, work } = longWork();
	const waiting = 'files asks you something at the top of the window…';
	work.callBegun('1', 'files:move');
	work.questionAsked('files');
	await clock.pass(100_000);
	expect(said).toEqual([waiting]);
	work.somethingSaid();
	await clock.pass(100_000);
	expect(said).toEqual([waiting, waiting]);
	work.questionEnded('files');
	await clock.pass(10_000);
	expect(said.slice(2)).toMatchSnapshot();
});

test('the progress reports hidden thinking as long as it lasts', async () => {
	const { clock, said, work } = longWork();
	await clock.pass(5_000);
	for (let i = 0; i < 40; i++) {
		work.thinks();
		await clock.pass(1_000);
	}
	expect(said).toMatchSnapshot();
	work.somethingSaid();
	await clock.pass(10_000);
	expect(said.at(-1)).toMatchSnapshot();
});
