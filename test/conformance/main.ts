// `npm test -- conformance`: runs the official conformance tests against our client and the server for other agents. Ends with code 1 unless every scenario passes.
import { judgeOurClient, judgeOurGateway } from './judge.ts';

const verdicts = [...(await judgeOurClient()), ...(await judgeOurGateway())];

for (const { scenario, isPassed, passed, failed, faults } of verdicts) {
	console.log(`${isPassed ? 'passed' : 'FAILED'}  ${scenario}: ${passed} checks passed, ${failed} failed`);
	for (const fault of faults) console.log(`          ${fault}`);
}

const passed = verdicts.filter(({ isPassed }) => isPassed).length;
console.log(`${passed} passed, ${verdicts.length - passed} failed`);
if (passed < verdicts.length) process.exitCode = 1;
