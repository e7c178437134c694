// `npm test -- conformance`: runs the official conformance tests against our client. Ends with code 1 unless every scenario passes.
import { judgeOurClient } from './judge.ts';

const { verdicts, undecided } = await judgeOurClient();

for (const { scenario, isPassed, passed, failed, faults } of verdicts) {
	console.log(`${isPassed ? 'passed' : 'FAILED'}  ${scenario}: ${passed} checks passed, ${failed} failed`);
	for (const fault of faults) console.log(`          ${fault}`);
}
for (const scenario of undecided)
	console.log(`UNDECIDED  ${scenario}: scenarios.ts must say what our client does in it`);

const passed = verdicts.filter(({ isPassed }) => isPassed).length;
const failed = verdicts.length - passed + undecided.length;
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
