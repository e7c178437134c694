// `npm test -- conformance`: what an outside judge says of our client; ends with code 1 unless it is content with every scenario.
import { judgeOurClient } from './judge.ts';

const { verdicts, undecided } = await judgeOurClient();

for (const { scenario, isPassed, passed, failed, faults } of verdicts) {
	console.log(`${isPassed ? 'passed' : 'FAILED'}  ${scenario}: ${passed} checks passed, ${failed} failed`);
	for (const fault of faults) console.log(`          ${fault}`);
}
for (const scenario of undecided)
	console.log(`UNDECIDED  ${scenario}: say in scenarios.ts what is done in it`);

if (undecided.length > 0 || !verdicts.every(({ isPassed }) => isPassed)) process.exitCode = 1;
