// `npm test -- conformance`: what an outside judge says of our client; ends with code 1 unless it is content with every scenario.
import { judgeOurClient } from './judge.ts';

const { verdicts, leftOut, undecided } = await judgeOurClient();

for (const { scenario, isPassed, passed, failed, faults } of verdicts) {
	console.log(`${isPassed ? 'passed' : 'FAILED'}  ${scenario}: ${passed} checks passed, ${failed} failed`);
	for (const fault of faults) console.log(`          ${fault}`);
}
for (const [reason, left] of Map.groupBy(leftOut, (one) => one.reason)) {
	console.log(`left out  ${left.map(({ scenario }) => scenario).join(', ')}\n          ${reason}`);
}
for (const scenario of undecided)
	console.log(`UNDECIDED  ${scenario}: play it or leave it out in scenarios.ts`);

if (undecided.length > 0 || !verdicts.every(({ isPassed }) => isPassed)) process.exitCode = 1;
