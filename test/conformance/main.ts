// `npm test -- conformance`: runs the official conformance tests against our client. Ends with code 1 unless every scenario passes.
import { judgeOurClient } from './judge.ts';

const { verdicts, undecided } = await judgeOurClient();

for (const { scenario, isPassed, passed, failed, faults } of verdicts) {
	console.log(`${isPassed ? 'passed' : 'FAILED'}  ${scenario}: ${passed} checks passed, ${failed} failed`);
	for (const fault of faults) console.log(`          ${fault}`);
}
for (const scenario of undecided)
	console.log(`UNDECIDED  ${scenario}: say in scenarios.ts what is done in it`);

if (undecided.length > 0 || !verdicts.every(({ isPassed }) => isPassed)) process.exitCode = 1;
