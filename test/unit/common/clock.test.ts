import { expect, test } from 'vitest';
import { steadyTime } from '../../../src/common/clock.ts';

const hourMs = 3_600_000;
const start = 1_700_000_000_000;

/** A machine whose clock can be set, and which can sleep. */
function machine() {
	const time = { wall: start, steady: 5_000 };
	const now = steadyTime(
		() => time.wall,
		() => time.steady,
	);
	const pass = (ms: number) => {
		time.wall += ms;
		time.steady += ms;
		return now();
	};
	return { time, now, pass };
}

test('the clock returns the time of day', () => {
	const { pass } = machine();
	expect(pass(1_234)).toBe(start + 1_234);
});

test('when the system clock is set back by an hour, then the clock keeps advancing, even repeatedly', () => {
	const { time, now, pass } = machine();
	pass(10_000);
	for (let times = 1; times <= 3; times += 1) {
		const before = now();
		time.wall -= hourMs;
		expect(now()).toBe(before);
		expect(pass(60_000)).toBe(before + 60_000);
	}
});

test('when the system clock is set back between two readings, then no elapsed time is lost', () => {
	const { time, pass } = machine();
	time.wall -= hourMs;
	expect(pass(20 * hourMs)).toBe(start + 20 * hourMs);
});

test('when the system clock is set forward or the machine slept, then the clock follows', () => {
	const { time, now, pass } = machine();
	time.wall += 8 * hourMs;
	expect(now()).toBe(start + 8 * hourMs);
	expect(pass(1_000)).toBe(start + 8 * hourMs + 1_000);
});

test('when the system clock is corrected slightly, then the clock never goes back', () => {
	const { time, now, pass } = machine();
	let latest = now();
	for (let i = 0; i < 200; i += 1) {
		pass(100);
		time.wall -= 20;
		expect(now()).toBeGreaterThanOrEqual(latest);
		latest = now();
	}
	// Never further behind than what goes unnoticed.
	expect(start + time.steady - 5_000 - latest).toBeLessThanOrEqual(1_000);
});
