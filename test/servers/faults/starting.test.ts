import { testFaults } from './faultTests.ts';

testFaults('starting');
