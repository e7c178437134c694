import { testFaults } from './faultTests.ts';

testFaults('calling');
